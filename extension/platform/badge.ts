import browser from 'webextension-polyfill';

/** Writes on the toolbar button. An empty text takes the badge away. */
export async function setBadge(text: string, color: string): Promise<void> {
  await Promise.all([
    browser.action.setBadgeText({ text }),
    browser.action.setBadgeBackgroundColor({ color }),
  ]);
}
