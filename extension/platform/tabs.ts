import browser, { type Tabs } from 'webextension-polyfill';
import { ownBrowserFamily } from './extension-info.ts';

/** Whether a tab is in a private window; true for one that is gone, of which nobody can tell any more. */
export async function isPrivateTab(tabId: number): Promise<boolean> {
  try {
    return (await browser.tabs.get(tabId)).incognito;
  } catch {
    return true;
  }
}

/** Whether a tab besides this one shows a page of an origin, as far as the extension may read the tabs' addresses. */
export async function isOpenElsewhere(tabId: number, origin: string): Promise<boolean> {
  const tabs = await browser.tabs.query({});
  return tabs.some(({ id, url }) => id !== tabId && URL.parse(url ?? '')?.origin === origin);
}

/** How long a page is given to load, ms: what it tells by then has to do. */
const loadTimeoutMs = 30_000;

/** Loads the tab's page anew, past the cache. Settles when it has loaded, has failed to, or takes too long. */
export async function reloadPastCache(tabId: number): Promise<void> {
  await new Promise<void>((resolve) => {
    let begun = false;
    const settle = (): void => {
      clearTimeout(timer);
      browser.tabs.onUpdated.removeListener(listen);
      resolve();
    };
    const listen = (changed: number, { status }: { status?: string }): void => {
      if (changed !== tabId) return;
      // An end before the beginning is that of the load that was broken off.
      if (status === 'loading') begun = true;
      else if (status === 'complete' && begun) settle();
    };
    const timer = setTimeout(settle, loadTimeoutMs);
    browser.tabs.onUpdated.addListener(listen);
    browser.tabs.reload(tabId, { bypassCache: true }).catch(settle);
  });
}

export function onTabClosed(listener: (tabId: number) => void): void {
  browser.tabs.onRemoved.addListener(listener);
}

/** What a tab shows; the address is null where the extension may not know it. */
export interface TabShown {
  tabId: number;
  url: string | null;
}

export interface TabListeners {
  /** A document has begun to arrive, has come back, or has changed its own address; before its scripts run. */
  onArrival: (shown: TabShown) => void;
  /** All that was loading has loaded. */
  onLoaded: (shown: TabShown) => void;
}

/**
 * Tells what tabs do, but for those of private windows. Every load in any tab wakes the background while it is on; it
 * has to be on as the background starts for the event that it was woken by.
 */
export function tabWatch({ onArrival, onLoaded }: TabListeners): { start: () => void; stop: () => void } {
  const isFirefox = ownBrowserFamily() === 'firefox';
  const listener = (
    tabId: number,
    { status, url }: Tabs.OnUpdatedChangeInfoType,
    { incognito, url: address }: Tabs.Tab,
  ): void => {
    if (incognito) return;
    const shown = { tabId, url: address ?? null };
    // Firefox says so, without an address, also as it begins to ask for a document: the one before is still there.
    if (status === 'loading' && (url !== undefined || !isFirefox)) onArrival(shown);
    else if (status === 'complete') onLoaded(shown);
  };
  const { onUpdated } = browser.tabs;
  return {
    start() {
      if (!onUpdated.hasListener(listener)) onUpdated.addListener(listener);
    },
    stop() {
      onUpdated.removeListener(listener);
    },
  };
}
