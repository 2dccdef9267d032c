import * as v from 'valibot';
import browser from 'webextension-polyfill';
import { PageReadingSchema, type PageReading, type ReadingTime } from '../../shared/messages/page-reading.ts';
import { readPage } from './read-page.ts';

/**
 * Asks the page in a tab to tell of itself, and waits until it does, if need be until it is left.
 *
 * @returns null where the browser lets no script in, for what is no {@link PageReadingSchema reading}, and for a page
 * that is still loading where it is to wait
 */
export async function askPage(tabId: number, asked: ReadingTime): Promise<PageReading | null> {
  try {
    const [result] = await browser.scripting.executeScript({
      target: { tabId },
      world: 'MAIN',
      // Else a page that is still loading would answer only then.
      injectImmediately: true,
      func: readPage,
      args: [asked],
    });
    const reading = v.safeParse(PageReadingSchema, result?.result);
    return reading.success ? reading.output : null;
  } catch {
    // The browser forbids scripts on some http pages too (its store, error pages): unknown, not a failure.
    return null;
  }
}
