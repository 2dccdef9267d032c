import type { BrowserFamily } from '../../shared/record/browser-family.ts';
import { startChromium } from './start-chromium.ts';
import { startFirefox } from './start-firefox.ts';
import type { BrowserRequest, ManagedBrowser } from './managed-browser.ts';

const starters: Record<BrowserFamily, (request: BrowserRequest) => Promise<ManagedBrowser>> = {
  chromium: startChromium,
  firefox: startFirefox,
};

/** Starts a browser with a new profile and waits for its page. @throws TowlineError `browser-failed` */
export async function startBrowser(family: BrowserFamily, request: BrowserRequest): Promise<ManagedBrowser> {
  return await starters[family](request);
}
