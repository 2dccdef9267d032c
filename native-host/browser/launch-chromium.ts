import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { killGroup } from './kill-group.ts';
import type { ManagedBrowser } from './managed-browser.ts';

export interface LaunchOptions {
  executable: string;
  /** Put in front of the executable: an `unshare` that gives an ordinary uid where a namespace made us root. */
  wrapper: readonly string[];
  /** From {@link chromiumFlags}. */
  flags: readonly string[];
  /** Directory for what it would else write below the person's home. */
  ownDirectory: string;
  /** For temporary files and a socket, which a browser that is killed leaves; null for the machine's own. */
  temporaryDirectory: string | null;
  /** The command that lets the sandbox start, where something is known to keep it from that. */
  sandboxRemedy: string | null;
}

/** With one blank page, driven over the debugging pipe: no socket on the trial's network. */
interface LaunchedChromium extends Pick<ManagedBrowser, 'version' | 'kill'> {
  page: Page;
}

/** Starts Chromium and waits for its first page. @throws TowlineError `browser-failed` */
export async function launchChromium(options: LaunchOptions): Promise<LaunchedChromium> {
  const [program = options.executable, ...args] = [...options.wrapper, options.executable, ...options.flags];
  let browser: Browser;
  try {
    browser = await puppeteer.launch({
      executablePath: program,
      args,
      env: environmentOf(options),
      ignoreDefaultArgs: true,
      pipe: true,
      defaultViewport: null,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: 30_000,
    });
  } catch (cause) {
    // Over the pipe, its driver does not hear what it said.
    const words = await lastWords([program, ...args], options);
    if (words.includes(noSandboxWords)) throw noSandbox(options, cause);
    throw new TowlineError(
      'browser-failed',
      'browser',
      `The browser ${options.executable} did not start: ${words || firstLine(cause)}`,
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

/**
 * Reports of crashes and the cache of the desktop's settings lie outside of the profile otherwise. Sources:
 * chrome/app/chrome_crash_reporter_client.cc; dconf(7). The home directory stays: the authorities that the person
 * trusts lie in it.
 */
function environmentOf({ ownDirectory, temporaryDirectory }: LaunchOptions): NodeJS.ProcessEnv {
  return {
    ...{ XDG_RUNTIME_DIR: ownDirectory, ...process.env, BREAKPAD_DUMP_LOCATION: ownDirectory },
    ...(temporaryDirectory === null ? {} : { TMPDIR: temporaryDirectory }),
  };
}

/** Source: content/browser/zygote_host/zygote_host_impl_linux.cc */
const noSandboxWords = 'No usable sandbox';

const startsWithinMs = 5_000;

/** What a browser that does not start says of it, on one line: it is started once more. Empty where it says nothing. */
async function lastWords(
  [program = '', ...args]: readonly string[],
  options: LaunchOptions,
): Promise<string> {
  const child = spawn(program, [...args, '--dump-dom'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: environmentOf(options),
    timeout: startsWithinMs,
    killSignal: 'SIGKILL',
  });
  child.on('error', () => undefined);
  const words = await text(child.stderr).catch(() => '');
  const lines = words.split('\n').filter((line) => line.trim() !== '');
  // Chromium ends with a trace of its stack; the word before it is the fatal one.
  return (lines.find((line) => line.includes('FATAL')) ?? lines.at(-1) ?? '').replace(/^\[[^\]]*\]\s*/, '');
}

function noSandbox({ executable, sandboxRemedy }: LaunchOptions, cause: unknown): TowlineError {
  return new TowlineError(
    'browser-failed',
    'browser',
    `The browser ${executable} cannot start its sandbox here, and is never run without it.`,
    {
      remedy: `${sandboxRemedy ?? 'Allow ordinary users to make user namespaces (see towline doctor)'}; or, on Debian, the helper that does without: sudo apt-get install chromium-sandbox.`,
      cause,
    },
  );
}

const firstLine = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).trim().split('\n')[0] ?? '';
