import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { serveLab, type ServedLab } from '../../lab/serve.ts';
import { firefoxArmPreferenceNames } from '../../shared/arms/firefox-arm-preferences.ts';
import { towline } from '../support/towline.ts';
import { openExtensionFirefox, type ExtensionFirefox } from './extension-firefox.ts';

/** A person's own Firefox with the lab build in it, the host installed by the command itself, and the lab's site. */
export interface LiveFirefox {
  lab: ServedLab;
  /** Firefox's, which is its home directory too. */
  profile: string;
  keyLogFile: string;
  /** Starts it, again after its end. */
  open(): Promise<ExtensionFirefox>;
  /** The one started last. Starting one takes seconds: a test goes on with that of the test before. */
  inUse(): ExtensionFirefox;
  close(): Promise<void>;
}

export async function prepareLiveFirefox(): Promise<LiveFirefox> {
  const directory = await mkdtemp(join(tmpdir(), 'firefox-live-'));
  const profile = join(directory, 'profile');
  const keyLogFile = join(directory, 'keys.log');
  await mkdir(profile);
  await towline(['install', '--browser', 'firefox'], { environment: { HOME: profile } });
  const lab = await serveLab({ port: 0 });
  let running: ExtensionFirefox | null = null;
  return {
    lab,
    profile,
    keyLogFile,
    open: async () => {
      running = await openExtensionFirefox({
        ...{ build: 'extension-firefox-lab', profile, keyLogFile, caPath: lab.caPath },
      });
      return running;
    },
    inUse: () => {
      if (running === null) throw new Error('Firefox did not start.');
      return running;
    },
    close: async () => {
      running?.kill();
      await lab.close();
      await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

/** What a test waits for on a machine that does much else meanwhile. */
export const longEnough = { timeout: 60_000, interval: 50 };

/** How an arm's protocol is called in a page's own timing. */
export const named = { h1: 'http/1.1', h2: 'h2', h3: 'h3' } as const;

export const nextHopProtocol = (page: Page): Promise<string> =>
  page.evaluate(
    () => (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).nextHopProtocol,
  );

/** What every preference of an arm is at, as Firefox itself says. */
export function preferences({ inside }: ExtensionFirefox): Promise<unknown> {
  return inside(`Object.fromEntries(${JSON.stringify(firefoxArmPreferenceNames)}.map((name) => [
    name,
    [Services.prefs.prefHasUserValue(name), ...['getBoolPref', 'getIntPref', 'getStringPref'].flatMap((get) => {
      try { return [Services.prefs[get](name)]; } catch { return []; }
    })],
  ]))`);
}
