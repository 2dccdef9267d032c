import * as v from 'valibot';
import browser from 'webextension-polyfill';
import { PageSnapshotSchema, type PageSnapshot } from '../../shared/messages/recorder-messages.ts';

/** The page in front of the person when the popup opened. */
export interface CurrentPage {
  /** Null where the browser keeps it to itself (its own pages, the stores). */
  url: string | null;
  isPrivate: boolean;
  /**
   * What the page's own timings say; null when it cannot be known. A page that is busy answers late, so this
   * is not waited for.
   */
  snapshot: Promise<PageSnapshot | null>;
}

/**
 * Asks the active tab. Opening the popup is the click that grants `activeTab`.
 * @param before what the page is not asked before: its answer may wait, and takes a processor
 */
export async function currentPage(before: Promise<void> = Promise.resolve()): Promise<CurrentPage> {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
  const url = tab?.url ?? null;
  const isPrivate = tab?.incognito ?? false;
  if (tab?.id === undefined || url === null || !/^https?:/.test(url)) {
    return { url, isPrivate, snapshot: Promise.resolve(null) };
  }
  const { id } = tab;
  return { url, isPrivate, snapshot: before.then(() => pageSnapshot(id)) };
}

/** What a tab's page tells of itself; null where the browser lets no script in. */
export async function pageSnapshot(tabId: number): Promise<PageSnapshot | null> {
  const target = { tabId };
  try {
    await browser.scripting.executeScript({ target, files: ['snapshot.js'] });
    const [result] = await browser.scripting.executeScript({ target, func: takeSnapshot });
    const snapshot = v.safeParse(PageSnapshotSchema, result?.result);
    return snapshot.success ? snapshot.output : null;
  } catch {
    // The browser forbids scripts on some http pages too (its store, error pages): unknown, not a failure.
    return null;
  }
}

/** Runs in the page, beside what snapshot.js laid down there. */
function takeSnapshot(): unknown {
  return (globalThis as { towlineSnapshot?: () => unknown }).towlineSnapshot?.();
}
