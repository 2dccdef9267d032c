import type { Page } from 'puppeteer-core';
import type { BrowserFamily } from '../../shared/record/browser-family.ts';
import type { BrowserRequest } from './managed-browser.ts';
import { openChromiumWindow } from './open-chromium-window.ts';
import { openFirefoxWindow } from './open-firefox-window.ts';

/** A browser for a person to use, with a protocol: as for a trial, but nothing is recorded of it. */
export interface WindowRequest extends Omit<BrowserRequest, 'keyLogFile'> {
  /** Directory of Towline's built extension for this browser; null to do without. */
  extensionDirectory: string | null;
}

export interface ManagedWindow {
  readonly page: Page;
  /** Settles when the browser is gone: the person closed its last window, or it was killed. */
  readonly ended: Promise<void>;
  /** Ends the browser and everything it started. Never throws. */
  kill(): void;
}

const openers: Record<BrowserFamily, (request: WindowRequest) => Promise<ManagedWindow>> = {
  chromium: openChromiumWindow,
  firefox: openFirefoxWindow,
};

/** Opens a browser with a new profile on a blank page. @throws TowlineError `browser-failed` */
export async function openManagedWindow(
  family: BrowserFamily,
  request: WindowRequest,
): Promise<ManagedWindow> {
  return await openers[family](request);
}
