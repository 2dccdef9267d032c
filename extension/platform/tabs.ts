import browser from 'webextension-polyfill';

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
