import browser from 'webextension-polyfill';
import type { BrowserFamily } from '../../shared/record/browser-family.ts';

/** This extension's version, as in the manifest. */
export function extensionVersion(): string {
  return browser.runtime.getManifest().version;
}

/** The family of the browser that this extension is in. */
export function ownBrowserFamily(): BrowserFamily {
  return browser.runtime.getURL('').startsWith('moz-extension:') ? 'firefox' : 'chromium';
}

/** A message in the browser's language; empty when the catalogue lacks it. */
export function localizedMessage(key: string, substitutions: string[]): string {
  return browser.i18n.getMessage(key, substitutions);
}

/** Calls back once, when this extension has just been installed. */
export function onInstalled(listener: () => void): void {
  browser.runtime.onInstalled.addListener(({ reason }) => {
    if (reason === 'install') listener();
  });
}

/** Calls back when the browser has started, and so wakes the background for it. */
export function onBrowserStart(listener: () => void): void {
  browser.runtime.onStartup.addListener(listener);
}

export async function openWelcome(): Promise<void> {
  await browser.tabs.create({ url: browser.runtime.getURL('welcome.html') });
}

/** Opens the results page at `route` (a hash such as `#/comparison/ID`), in the tab that has it open already. */
export async function openResults(route: string): Promise<void> {
  const page = browser.runtime.getURL('options.html');
  await browser.tabs.create({ url: `${page}${route}` });
}
