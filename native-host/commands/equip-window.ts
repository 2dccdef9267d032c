import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserFamily } from '../../shared/record/browser-family.ts';
import { chromiumManifestDirectory } from '../install/browsers.ts';
import { hostManifest, manifestFileName } from '../install/host-manifest.ts';
import { wrapperPath } from '../install/install-host.ts';
import { readPlaces } from '../install/places.ts';

const built: Record<BrowserFamily, string> = { chromium: 'extension-chrome', firefox: 'extension-firefox' };

/**
 * Makes the host known to the extension in a window's new profile, where the person has installed it. A managed
 * Firefox has another home directory, in which it finds no host.
 *
 * @returns the directory of the built extension, beside the built command; null where it was not built
 */
export async function equipWindow(family: BrowserFamily, profileDirectory: string): Promise<string | null> {
  const wrapper = wrapperPath(readPlaces());
  if (family === 'chromium' && existsSync(wrapper)) {
    const manifests = chromiumManifestDirectory(profileDirectory);
    await mkdir(manifests, { recursive: true });
    await writeFile(join(manifests, manifestFileName), hostManifest('chromium', wrapper));
  }
  const extension = join(import.meta.dirname, '..', built[family]);
  return existsSync(extension) ? extension : null;
}
