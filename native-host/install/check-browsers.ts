import type { Checkup } from '../../shared/messages/doctor-report.ts';
import { findExecutables, readBrowserVersion } from '../browser/find-browser.ts';
import type { BrowserPlaces } from './browsers.ts';
import { confinement, isSnap, nativePackages } from './packaging.ts';
import type { Places } from './places.ts';

/**
 * Which browsers can be driven in trials. One of the Chromium family is needed; what is not there at all is not
 * spoken of.
 *
 * @param path the PATH
 */
export async function checkBrowsers(
  browsers: readonly BrowserPlaces[],
  places: Places,
  path: string | undefined,
): Promise<Checkup[]> {
  const checkups: Checkup[] = [];
  let canMeasure = false;
  for (const browser of browsers) {
    const checkup = await checkBrowser(browser, places, path);
    if (checkup === null) continue;
    checkups.push(checkup);
    canMeasure ||= browser.dialect === 'chromium' && checkup.state === 'ok';
  }
  if (!canMeasure) checkups.unshift(missingChromium);
  return checkups;
}

const missingChromium: Checkup = {
  id: 'browser',
  section: 'browsers',
  title: 'Chromium',
  state: 'missing',
  found: 'no browser of its family that starts',
  purpose: 'loads the pages that are compared',
  required: true,
  remedy: nativePackages.chromium,
};

async function checkBrowser(
  { name, title, dialect }: BrowserPlaces,
  places: Places,
  path: string | undefined,
): Promise<Checkup | null> {
  const checkup: Omit<Checkup, 'state' | 'found' | 'remedy'> = {
    id: `browser-${name}`,
    section: 'browsers',
    title,
    purpose:
      dialect === 'chromium'
        ? 'loads the pages that are compared'
        : 'loads them too, with --browser firefox; can carry the extension',
    required: false,
  };
  const executable = findExecutables(name, path).find((one) => !isSnap(one));
  if (executable !== undefined) {
    const version = await readBrowserVersion(executable);
    return version === null
      ? { ...checkup, state: 'warning', found: `${executable} does not start`, remedy: nativePackages[name] }
      : { ...checkup, state: 'ok', found: `${version}, ${executable}`, remedy: null };
  }
  const confined = confinement(name, places, path);
  if (confined === null) return null;
  return {
    ...checkup,
    state: 'warning',
    found: `only as a ${confined}, which cannot be put into a network of its own`,
    remedy: nativePackages[name],
  };
}
