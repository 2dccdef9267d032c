import puppeteer, { type Browser } from 'puppeteer-core';
import { firefoxArmPreferences } from '../../shared/arms/firefox-arm-preferences.ts';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { BidiTransport } from './bidi-transport.ts';
import { writeFirefoxPreferences } from './firefox-preferences.ts';
import { launchFirefox } from './launch-firefox.ts';
import type { ManagedWindow, WindowRequest } from './managed-window.ts';
import { trustAuthority } from './trust-authority.ts';

/** See {@link openManagedWindow}. */
export async function openFirefoxWindow(request: WindowRequest): Promise<ManagedWindow> {
  const { profileDirectory, trusted, extensionDirectory } = request;
  await writeFirefoxPreferences(profileDirectory, {
    armPreferences: firefoxArmPreferences(request.arm, request.http3Origins),
    trusting: trusted !== null,
  });
  if (trusted !== null) await trustAuthority(profileDirectory, trusted.certificateFile);
  const { endpoint, ended, kill } = await launchFirefox({ ...request, keyLogFile: null });
  try {
    const browser = await connect(endpoint);
    if (extensionDirectory !== null) await browser.installExtension(extensionDirectory);
    const [first] = await browser.pages();
    return { page: first ?? (await browser.newPage()), ended, kill };
  } catch (cause) {
    kill();
    throw new TowlineError('browser-failed', 'browser', 'Firefox started but could not be driven.', {
      remedy: 'Towline drives Firefox by WebDriver BiDi: use a release from 142 on.',
      cause,
    });
  }
}

async function connect(endpoint: string): Promise<Browser> {
  return await puppeteer.connect({
    transport: await BidiTransport.open(endpoint),
    protocol: 'webDriverBiDi',
    defaultViewport: null,
    networkEnabled: false,
  });
}
