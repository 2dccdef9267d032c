import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Checkup } from '../../shared/messages/doctor-report.ts';
import type { BrowserPlaces } from './browsers.ts';
import { manifestFileName, readHostManifest } from './host-manifest.ts';
import { confinement, nativePackages } from './packaging.ts';
import type { Places } from './places.ts';

/** Starts a host as a browser would and greets it. @returns its version @throws when it does not answer */
export type GreetHost = (wrapperPath: string) => Promise<string>;

/** Whether a browser could start the host, step by step as the browser does it, with a real greeting at the end. */
export async function checkHost(
  browser: BrowserPlaces,
  places: Places,
  path: string | undefined,
  greetHost: GreetHost,
): Promise<Checkup> {
  const { name, title } = browser;
  const checkup: Pick<Checkup, 'id' | 'section' | 'title' | 'purpose' | 'required'> = {
    id: `host-${name}`,
    section: 'extension',
    title,
    purpose: `lets the extension in ${title} start comparisons`,
    required: false,
  };
  const fault = (found: string): Checkup => ({
    ...checkup,
    state: 'missing',
    found,
    remedy: `towline install --browser ${name}`,
  });

  const text = readIfThere(join(browser.manifestDirectory, manifestFileName));
  if (text === null) return fault('the host is not installed for it');
  const manifest = readHostManifest(browser.dialect, text);
  if ('fault' in manifest) return fault(manifest.fault);
  const { wrapperPath } = manifest;
  if (!isExecutable(wrapperPath)) return fault(`${wrapperPath} is not there or cannot be run`);
  let version: string;
  try {
    version = await greetHost(wrapperPath);
  } catch (error) {
    return fault(`the host does not answer: ${error instanceof Error ? error.message : String(error)}`);
  }
  const confined = confinement(name, places, path);
  if (confined !== null) {
    return {
      ...checkup,
      state: 'warning',
      found: `the host answers, but ${title} is a ${confined}: it may not start programs`,
      remedy:
        confined === 'Snap'
          ? `Allow it when the desktop asks (Ubuntu), or: ${nativePackages[name]}`
          : nativePackages[name],
    };
  }
  return { ...checkup, state: 'ok', found: `the host answers, version ${version}`, remedy: null };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
