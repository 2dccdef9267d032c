import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { BrowserFamily } from '../../shared/record/browser-family.ts';
import { TowlineError } from '../../shared/errors/towline-error.ts';

/**
 * The programs of each browser: by name where its package puts it on the PATH, and where it lies for certain.
 * The best first. Source: the Debian, RPM and Snap packages of their makers.
 */
const browserExecutables = {
  chromium: ['chromium', 'chromium-browser', '/snap/bin/chromium'],
  chrome: ['google-chrome-stable', 'google-chrome', '/opt/google/chrome/google-chrome'],
  brave: ['brave-browser', 'brave', '/opt/brave.com/brave/brave-browser', '/snap/bin/brave'],
  vivaldi: ['vivaldi-stable', 'vivaldi', '/opt/vivaldi/vivaldi'],
  edge: ['microsoft-edge-stable', 'microsoft-edge', '/opt/microsoft/msedge/microsoft-edge'],
  firefox: ['firefox', 'firefox-esr', '/usr/lib/firefox/firefox', '/snap/bin/firefox'],
} as const satisfies Record<string, readonly string[]>;

export type BrowserName = keyof typeof browserExecutables;

const browserNames = Object.keys(browserExecutables) as BrowserName[];

/** Chromium stands for its whole family, itself first: they all take the same flags. */
const substitutes: Partial<Record<BrowserName, readonly BrowserName[]>> = {
  chromium: ['chromium', 'chrome', 'brave', 'vivaldi', 'edge'],
};

/** Longest time a browser may take to tell its version, ms. */
const versionTimeoutMs = 20_000;

export interface FoundBrowser {
  name: BrowserName;
  /** Absolute path. */
  executable: string;
  /** As the browser says it, such as `156.0.8078.79`. */
  version: string;
}

/**
 * Finds a browser for trials; any of its family will do for `chromium`.
 *
 * @returns null when there is none that starts
 * @throws TowlineError `bad-argument` when no browser has this name
 */
export async function findBrowser(name: string): Promise<FoundBrowser | null> {
  if (!isBrowserName(name)) {
    throw new TowlineError('bad-argument', 'arguments', `There is no browser "${name}".`, {
      remedy: `The browsers are ${browserNames.join(', ')}.`,
    });
  }
  for (const candidate of substitutes[name] ?? [name]) {
    for (const executable of findExecutables(candidate)) {
      const version = await readBrowserVersion(executable);
      if (version !== null) return { name: candidate, executable, version };
    }
  }
  return null;
}

/** As {@link findBrowser}. @throws TowlineError `browser-missing` where there is none, and what that throws */
export async function requireBrowser(name: string): Promise<FoundBrowser> {
  const found = await findBrowser(name);
  if (found !== null) return found;
  throw new TowlineError('browser-missing', 'environment', `No ${name} was found on this machine.`, {
    remedy: `Install it: apt-get install ${name === 'firefox' ? 'firefox-esr' : name}.`,
  });
}

export function browserFamily(name: BrowserName): BrowserFamily {
  return name === 'firefox' ? 'firefox' : 'chromium';
}

export function isBrowserName(name: string): name is BrowserName {
  return Object.hasOwn(browserExecutables, name);
}

/** Absolute paths of the programs of one browser that are there, the best first. */
export function findExecutables(
  name: BrowserName,
  path: string | undefined = process.env.PATH,
): readonly string[] {
  const directories = (path ?? '').split(delimiter).filter(isAbsolute);
  return browserExecutables[name]
    .flatMap((program) =>
      isAbsolute(program) ? [program] : directories.map((directory) => join(directory, program)),
    )
    .filter(isExecutable);
}

/** Asks a browser for its version. @returns null when it does not start or says something else */
export async function readBrowserVersion(executable: string): Promise<string | null> {
  const said = await new Promise<string>((resolve) => {
    execFile(
      executable,
      ['--version'],
      { timeout: versionTimeoutMs, killSignal: 'SIGKILL' },
      (error, stdout) => {
        resolve(error ? '' : stdout);
      },
    );
  });
  return /\d+(?:\.\d+)+/.exec(said)?.[0] ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
