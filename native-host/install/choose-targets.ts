import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { findExecutables, isBrowserName } from '../browser/find-browser.ts';
import { browserPlaces, chromiumManifestDirectory, type BrowserPlaces } from './browsers.ts';
import type { InstallTarget } from './install-host.ts';
import type { Places } from './places.ts';

/** Which browsers are meant, as typed. */
export interface TargetOptions {
  /** One browser by name, found or not. */
  browser?: string | undefined;
  /** The `--user-data-dir` of a browser of the Chromium family. */
  userDataDir?: string | undefined;
}

/**
 * The browsers that are meant.
 *
 * @returns null when none was named
 * @throws TowlineError `bad-argument` for a browser that nobody knows
 */
export function namedTargets(
  places: Places,
  { browser, userDataDir }: TargetOptions,
): InstallTarget[] | null {
  if (browser === undefined && userDataDir === undefined) return null;
  const targets: InstallTarget[] = [];
  if (browser !== undefined) targets.push(browserNamed(places, browser));
  if (userDataDir !== undefined) {
    const directory = resolve(userDataDir);
    targets.push({
      title: directory,
      dialect: 'chromium',
      manifestDirectory: chromiumManifestDirectory(directory),
    });
  }
  return targets;
}

/** The browsers of this person: those on the machine, and those that have left a profile. */
export function foundBrowsers(places: Places, path: string | undefined): BrowserPlaces[] {
  return browserPlaces(places).filter(
    ({ name, profileDirectories }) =>
      findExecutables(name, path).length > 0 || profileDirectories.some((directory) => existsSync(directory)),
  );
}

function browserNamed(places: Places, name: string): InstallTarget {
  const known = browserPlaces(places);
  const found = isBrowserName(name) ? known.find((one) => one.name === name) : undefined;
  if (found) return found;
  throw new TowlineError('bad-argument', 'arguments', `There is no browser "${name}".`, {
    remedy: `The browsers are ${known.map((one) => one.name).join(', ')}.`,
  });
}
