import type { Page } from 'puppeteer-core';
import type { ManagedBrowser, NetworkAccount } from './managed-browser.ts';
import { navigationError } from './navigation-error.ts';
import { navigationOf } from './navigation-of.ts';
import { waitUntilQuiet } from './wait-until-quiet.ts';

/**
 * Loads by the one page of a browser that was started for the trial.
 * @param quietForMs how long no request has been open, ms; 0 while one is
 */
export function drivePage(
  page: Page,
  account: NetworkAccount,
  quietForMs: () => number,
): Pick<ManagedBrowser, 'makeReady' | 'load' | 'navigation' | 'settle'> {
  return {
    makeReady: () => Promise.resolve(),
    async load(url, timeoutMs) {
      try {
        await page.goto(url, { waitUntil: 'load', timeout: timeoutMs });
        return null;
      } catch (thrown) {
        return navigationError(url, thrown, timeoutMs);
      }
    },
    navigation: () => navigationOf(page),
    async settle(othersQuietForMs) {
      if (othersQuietForMs) await waitUntilQuiet(() => Math.min(quietForMs(), othersQuietForMs()));
      return account;
    },
  };
}
