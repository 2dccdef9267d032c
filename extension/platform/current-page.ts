import browser from 'webextension-polyfill';
import type { PageReading } from '../../shared/messages/page-reading.ts';
import { askPage } from './page-reader.ts';

/** The page in front of the person when the popup opened. */
export interface CurrentPage {
  tabId: number | null;
  /** Null where the browser keeps it to itself (its own pages, the stores). */
  url: string | null;
  isPrivate: boolean;
  /**
   * What the page's own timings say; null when it cannot be known. A page that is busy answers late, so this
   * is not waited for.
   */
  snapshot: Promise<PageReading | null>;
}

/**
 * Asks the active tab. Opening the popup is the click that grants `activeTab`.
 * @param before what the page is not asked before: its answer may wait, and takes a processor
 */
export async function currentPage(before: Promise<void> = Promise.resolve()): Promise<CurrentPage> {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
  const url = tab?.url ?? null;
  const isPrivate = tab?.incognito ?? false;
  const tabId = tab?.id ?? null;
  const isAsked = tabId !== null && url !== null && /^https?:/.test(url);
  const snapshot = isAsked ? before.then(() => askPage(tabId, 'now')) : Promise.resolve(null);
  return { tabId, url, isPrivate, snapshot };
}
