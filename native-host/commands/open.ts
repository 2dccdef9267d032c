import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import type { Arm } from '../../shared/record/arm.ts';
import { armNames } from '../../shared/record/names.ts';
import { intendedProtocol, protocolOf } from '../../shared/arms/protocol-names.ts';
import { browserFamily, requireBrowser } from '../browser/find-browser.ts';
import { openManagedWindow, type ManagedWindow } from '../browser/managed-window.ts';
import { navigationError } from '../browser/navigation-error.ts';
import { browserPrivileges } from '../comparison/worker-command.ts';
import { userNamespaceRemedy } from '../network/user-namespaces.ts';
import { removeScratch, scratchName } from '../runs/prune-scratch.ts';
import { RunDirectory } from '../runs/run-directory.ts';
import { startGuardian } from '../runs/start-guardian.ts';
import { windowsDirectory } from '../runs/state-directory.ts';
import { watchOwner } from '../runs/watch-owner.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { cleanUp } from './clean-up.ts';
import { parseArms, parseTarget } from './compare-options.ts';
import { equipWindow } from './equip-window.ts';

/** `open` as typed, before anything is checked. */
export interface OpenOptions {
  url: string;
  arm: string;
  browser: string;
  headless: boolean;
  /** For the native-messaging host: the browser whose end ends the window. */
  ownerPid: string | undefined;
}

/** A page that has not loaded by then goes on loading before the person's eyes: only this command stops waiting, ms. */
const loadTimeoutMs = 60_000;

/**
 * `towline open`: a page in a browser of its own that speaks one protocol, until the person closes it. The profile
 * goes with the window, however it ends.
 *
 * @param onOpen called when the window is there
 * @returns the exit status
 * @throws TowlineError
 */
export async function open(options: OpenOptions, terminal: Terminal, onOpen: () => void): Promise<number> {
  const plan = await planWindow(options);
  const runId = randomUUID();
  const directory = await RunDirectory.create(runId, { root: windowsDirectory() });
  const scratch = join(tmpdir(), scratchName(runId));
  try {
    await cleanUp(process.getuid?.() === 0);
    await directory.writeJournal({ scratch, temporaryRecord: null });
    // No engine to wait for: the kernel kills the browser together with this process.
    const guardian = await startGuardian(join(import.meta.dirname, 'guardian.js'), runId, 0);
    try {
      await mkdir(scratch, { mode: 0o700 });
      return await keepWindow(plan, join(scratch, 'profile'), options.ownerPid, terminal, onOpen);
    } finally {
      await removeScratch(scratch);
      await directory.removeJournal();
      await guardian.release();
    }
  } finally {
    await directory.remove();
  }
}

interface WindowPlan {
  url: string;
  arm: Arm;
  http3Origins: string[];
  browser: Awaited<ReturnType<typeof requireBrowser>>;
  headless: boolean;
}

/** @throws TowlineError for wrong use, and for what the machine lacks */
async function planWindow({
  url: asked,
  arm: armAsked,
  browser,
  headless,
}: OpenOptions): Promise<WindowPlan> {
  if (asked.startsWith('lab:')) {
    throw new TowlineError('bad-url', 'arguments', `Nobody serves ${asked} outside of a comparison.`, {
      remedy: 'Run "towline lab serve", and open an address that it prints.',
    });
  }
  const target = parseTarget(asked, []);
  const [arm, ...more] = parseArms(armAsked);
  if (target.kind === 'lab' || arm === undefined || more.length > 0) {
    throw new TowlineError('bad-argument', 'arguments', `--arm ${armAsked}: a window has one protocol.`, {
      remedy: 'Open a window for each: --arm h2, then --arm h3.',
    });
  }
  const { protocol, hostname, port } = new URL(target.url);
  if (arm === 'h3' && protocol === 'http:') {
    throw new TowlineError('no-http3-origin', 'arguments', `${target.url} cannot come over HTTP/3.`, {
      remedy: 'HTTP/3 is for https alone: open the https address.',
    });
  }
  if (!headless && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    throw new TowlineError('no-display', 'environment', 'There is no screen to open a window on.', {
      remedy: 'Run it in a desktop session; --headless loads the page without a window.',
    });
  }
  return {
    ...{ url: target.url, arm, headless, browser: await requireBrowser(browser) },
    // Other hosts of the page are asked by HTTP/3 as soon as they offer it.
    http3Origins: arm === 'h3' ? [`${hostname}:${port || '443'}`] : [],
  };
}

/** Opens the window and waits for its end. @throws TowlineError `browser-failed` */
async function keepWindow(
  { url, arm, http3Origins, browser, headless }: WindowPlan,
  profileDirectory: string,
  ownerPid: string | undefined,
  terminal: Terminal,
  onOpen: () => void,
): Promise<number> {
  const family = browserFamily(browser.name);
  const window = await openManagedWindow(family, {
    ...browserPrivileges(process.getuid?.() === 0, 'none'),
    ...{ executable: browser.executable, headless, arm, http3Origins, profileDirectory, trusted: null },
    sandboxRemedy: userNamespaceRemedy(),
    extensionDirectory: await equipWindow(family, profileDirectory),
  });
  const stopListening = endOn(window, ownerPid);
  try {
    onOpen();
    const status = await tellProtocol(window, url, arm, terminal);
    await window.ended;
    return status;
  } finally {
    stopListening();
    window.kill();
    await window.ended;
  }
}

/** Loads the page and says what it came over. @returns 0 when that is what was asked for, else 1 */
async function tellProtocol(
  { page, ended }: ManagedWindow,
  url: string,
  arm: Arm,
  terminal: Terminal,
): Promise<0 | 1> {
  const end = ended.then(() => null);
  try {
    const loaded = page
      .goto(url, { waitUntil: 'load', timeout: loadTimeoutMs })
      .then(() => protocolOfPage(page));
    // Closed in mid-load: the person has seen enough.
    loaded.catch(() => undefined);
    const came = await Promise.race([loaded, end]);
    if (came === null) return 0;
    const protocol = protocolOf(came);
    const name = protocol === null || protocol === 'other' ? came : armNames[protocol];
    const asked = intendedProtocol(arm);
    const isAsAsked = asked === null || asked === protocol;
    terminal.print(
      isAsAsked
        ? `${url} came over ${name}.`
        : `${url} came over ${name}, not ${armNames[arm]}: the server seems not to offer it.`,
    );
    return isAsAsked ? 0 : 1;
  } catch (error) {
    terminal.error(navigationError(url, error, loadTimeoutMs));
    return 1;
  }
}

/** As the page itself was told by its browser; `an unknown protocol` where it was not. */
async function protocolOfPage(page: ManagedWindow['page']): Promise<string> {
  const name = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation');
    return navigation instanceof PerformanceNavigationTiming ? navigation.nextHopProtocol : '';
  });
  return name === '' ? 'an unknown protocol' : name;
}

/** Ctrl-C, a polite kill, or the end of the browser that asked, closes the window. */
function endOn(window: ManagedWindow, ownerPid: string | undefined): () => void {
  const end = (): void => {
    window.kill();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, end);
  const stopWatching = ownerPid === undefined ? null : watchOwner(Number(ownerPid), end);
  return () => {
    for (const signal of signals) process.off(signal, end);
    stopWatching?.();
  };
}
