import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { findExecutables, type BrowserName } from '../browser/find-browser.ts';
import type { Places } from './places.ts';

/** The names of the browsers on Flathub. */
const flatpakNames: Record<BrowserName, string> = {
  chromium: 'org.chromium.Chromium',
  chrome: 'com.google.Chrome',
  brave: 'com.brave.Browser',
  vivaldi: 'com.vivaldi.Vivaldi',
  edge: 'com.microsoft.Edge',
  firefox: 'org.mozilla.firefox',
};

/**
 * A kind of package that shuts a browser in: it cannot be put into a network of its own, nor start programs.
 *
 * @param path the PATH
 * @returns null where the browser is there as an ordinary program too, and where it is not there at all
 */
export function confinement(
  name: BrowserName,
  places: Places,
  path: string | undefined,
): 'Snap' | 'Flatpak' | null {
  const executables = findExecutables(name, path);
  if (executables.some((executable) => !isSnap(executable))) return null;
  if (executables.length > 0) return 'Snap';
  return isFlatpak(name, places) ? 'Flatpak' : null;
}

/** Whether a program is a Snap: it lies in /snap, or is a link to the snap command. */
export function isSnap(executable: string): boolean {
  return executable.startsWith('/snap/') || resolved(executable).endsWith('/snap');
}

/** Flatpak puts a starter for each application here, for one person or for all. */
function isFlatpak(name: BrowserName, { home }: Places): boolean {
  const directories = [
    join(home, '.local', 'share', 'flatpak', 'exports', 'bin'),
    '/var/lib/flatpak/exports/bin',
  ];
  return directories.some((directory) => existsSync(join(directory, flatpakNames[name])));
}

/** The Debian package, or the maker's own page where Debian has none. */
export const nativePackages: Record<BrowserName, string> = {
  chromium: 'sudo apt-get install chromium',
  chrome: 'Install the package of https://www.google.com/chrome/',
  brave: 'Install the package of https://brave.com/linux/',
  vivaldi: 'Install the package of https://vivaldi.com/download/',
  edge: 'Install the package of https://www.microsoft.com/edge/download',
  firefox: 'sudo apt-get install firefox-esr',
};

function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
