import { setTimeout as delay } from 'node:timers/promises';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { firefoxArmPreferences } from '../../shared/arms/firefox-arm-preferences.ts';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { BidiTransport } from './bidi-transport.ts';
import { writeFirefoxPreferences } from './firefox-preferences.ts';
import { launchFirefox } from './launch-firefox.ts';
import type { ManagedWindow, WindowRequest } from './managed-window.ts';
import { trustAuthority } from './trust-authority.ts';

/** One that does not come is not waited for, ms. */
const welcomeWithinMs = 5_000;

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
    const [first] = await browser.pages();
    const page = first ?? (await browser.newPage());
    if (extensionDirectory !== null) await addExtension(browser, page, extensionDirectory);
    return { page, ended, kill };
  } catch (cause) {
    kill();
    throw new TowlineError('browser-failed', 'browser', 'Firefox started but could not be driven.', {
      remedy: 'Towline drives Firefox by WebDriver BiDi: use a release from 142 on.',
      cause,
    });
  }
}

/** The extension's welcome page, which the person has seen, comes in front a moment later: it stays behind. */
async function addExtension(browser: Browser, page: Page, directory: string): Promise<void> {
  await browser.installExtension(directory);
  const untilMs = performance.now() + welcomeWithinMs;
  while ((await browser.pages()).length < 2 && performance.now() < untilMs) await delay(50);
  await page.bringToFront();
}

async function connect(endpoint: string): Promise<Browser> {
  return await puppeteer.connect({
    transport: await BidiTransport.open(endpoint),
    protocol: 'webDriverBiDi',
    defaultViewport: null,
    networkEnabled: false,
  });
}
