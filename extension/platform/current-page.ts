import * as v from 'valibot';
import browser from 'webextension-polyfill';

/** The page in front of the person when the popup opened. */
export interface CurrentPage {
  /** Null where the browser keeps it to itself (its own pages, the stores). */
  url: string | null;
  /** `nextHopProtocol` of the document, as the browser names it; null when it cannot be known. */
  protocol: string | null;
}

/** Runs in the page. A document out of a cache still names the protocol it once came over. */
function documentProtocol(): string | null {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.nextHopProtocol ?? null;
}

/** Asks the active tab. Opening the popup is the click that grants `activeTab`. */
export async function currentPage(): Promise<CurrentPage> {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
  const url = tab?.url ?? null;
  if (tab?.id === undefined || url === null || !/^https?:/.test(url)) return { url, protocol: null };
  try {
    const [result] = await browser.scripting.executeScript({
      target: { tabId: tab.id },
      func: documentProtocol,
    });
    const protocol = v.safeParse(v.pipe(v.string(), v.minLength(1)), result?.result);
    return { url, protocol: protocol.success ? protocol.output : null };
  } catch {
    // The browser forbids scripts on some http pages too (its store, error pages): unknown, not a failure.
    return { url, protocol: null };
  }
}
