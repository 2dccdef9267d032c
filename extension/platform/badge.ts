import browser from 'webextension-polyfill';

/** Writes on the toolbar button while one tab is in front; null shows again what is written for all tabs. */
export async function setTabBadge(tabId: number, text: string | null): Promise<void> {
  // The tab may be gone by now: then there is nothing to write on.
  await browser.action.setBadgeText({ tabId, text }).catch(() => undefined);
}

/** Shows in every tab what is written for all. */
export async function clearTabBadges(): Promise<void> {
  const tabs = await browser.tabs.query({});
  await Promise.all(tabs.flatMap(({ id }) => (id === undefined ? [] : [setTabBadge(id, null)])));
}

/** Writes on the toolbar button. An empty text takes the badge away. */
export async function setBadge(text: string, color: string): Promise<void> {
  await Promise.all([
    browser.action.setBadgeText({ text }),
    browser.action.setBadgeBackgroundColor({ color }),
  ]);
}
