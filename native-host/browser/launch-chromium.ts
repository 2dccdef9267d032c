import puppeteer, { type Browser } from 'puppeteer-core';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { killGroup } from './kill-group.ts';
import type { ManagedBrowser } from './managed-browser.ts';

export interface LaunchOptions {
  executable: string;
  /** Put in front of the executable: an `unshare` that gives an ordinary uid where a namespace made us root. */
  wrapper: readonly string[];
  /** From {@link chromiumFlags}. */
  flags: readonly string[];
}

/** With one blank page, driven over the debugging pipe: no socket on the trial's network. */
type LaunchedChromium = Pick<ManagedBrowser, 'page' | 'version' | 'kill'>;

/** Starts Chromium and waits for its first page. @throws TowlineError `browser-failed` */
export async function launchChromium(options: LaunchOptions): Promise<LaunchedChromium> {
  const [program = options.executable, ...args] = [...options.wrapper, options.executable, ...options.flags];
  let browser: Browser;
  try {
    browser = await puppeteer.launch({
      executablePath: program,
      args,
      ignoreDefaultArgs: true,
      pipe: true,
      defaultViewport: null,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: 30_000,
    });
  } catch (cause) {
    throw new TowlineError(
      'browser-failed',
      'browser',
      `The browser ${options.executable} did not start: ${firstLine(cause)}`,
      {
        remedy:
          'Run "towline doctor" to see what it lacks, or start it once by hand to read its own message.',
        cause,
      },
    );
  }
  const kill = (): void => {
    const pid = browser.process()?.pid;
    // The browser leads a process group: with the leader alone gone, the others would go on writing for a while.
    if (pid !== undefined) killGroup(pid);
  };
  try {
    const [first] = await browser.pages();
    return { page: first ?? (await browser.newPage()), version: await browser.version(), kill };
  } catch (cause) {
    kill();
    throw new TowlineError('browser-failed', 'browser', 'The browser started but gave no page.', { cause });
  }
}

const firstLine = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).trim().split('\n')[0] ?? '';
