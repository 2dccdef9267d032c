import { TargetType, type Browser, type Page } from 'puppeteer-core';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { chromiumArmFlags } from '../arms/chromium-arms.ts';
import { chromiumFlags } from './chromium-flags.ts';
import { launchChromium } from './launch-chromium.ts';
import type { ManagedWindow, WindowRequest } from './managed-window.ts';
import { writePreferences } from './write-preferences.ts';

/** The welcome page comes within a moment of the installation; one that does not come is not waited for, ms. */
const welcomeWithinMs = 5_000;

/** See {@link openManagedWindow}. */
export async function openChromiumWindow(request: WindowRequest): Promise<ManagedWindow> {
  const { profileDirectory, headless, withoutSandbox, executable, wrapper, extensionDirectory } = request;
  await writePreferences(profileDirectory);
  const flags = chromiumFlags({
    ...{ profileDirectory, headless, withoutSandbox, keyLogFile: null },
    armFlags: chromiumArmFlags(request.arm, request.http3Origins),
    trustedKeyHash: request.trusted?.keyHash ?? null,
    extensions: extensionDirectory !== null,
  });
  const { page, kill } = await launchChromium({
    ...{ executable, wrapper, flags, ownDirectory: profileDirectory },
    temporaryDirectory: profileDirectory,
    sandboxRemedy: request.sandboxRemedy,
  });
  const browser = page.browser();
  const ended = endOf(browser, kill);
  try {
    if (extensionDirectory !== null) await addExtension(browser, page, extensionDirectory);
  } catch (cause) {
    kill();
    throw new TowlineError('browser-failed', 'browser', 'The browser did not take the extension.', { cause });
  }
  return { page, ended, kill };
}

/** With a debugger at its pipe a browser may outlive its last window: then it is ended here. */
function endOf(browser: Browser, kill: () => void): Promise<void> {
  browser.on('targetdestroyed', () => {
    if (!browser.targets().some((target) => target.type() === TargetType.PAGE)) kill();
  });
  return new Promise((resolve) => {
    browser.once('disconnected', () => {
      resolve();
    });
  });
}

/** The person has seen the extension's welcome page in their own browser. */
async function addExtension(browser: Browser, page: Page, directory: string): Promise<void> {
  const opening = browser
    .waitForTarget((target) => target.url().endsWith('/welcome.html'), { timeout: welcomeWithinMs })
    .catch(() => null);
  await browser.installExtension(directory);
  const welcome = await (await opening)?.asPage();
  await welcome?.close();
  await page.bringToFront();
}
