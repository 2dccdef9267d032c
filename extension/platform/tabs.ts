import browser from 'webextension-polyfill';

/** Whether a tab is in a private window; true for one that is gone, of which nobody can tell any more. */
export async function isPrivateTab(tabId: number): Promise<boolean> {
  try {
    return (await browser.tabs.get(tabId)).incognito;
  } catch {
    return true;
  }
}

export function onTabClosed(listener: (tabId: number) => void): void {
  browser.tabs.onRemoved.addListener(listener);
}
