import browser from 'webextension-polyfill';
import { navigationFromPage } from '../../shared/record/navigation-from-page.ts';
import type { Navigation } from '../../shared/record/trial.ts';

/** The tab in which a comparison loads its page, in the person's own browser. */
export interface RunTab {
  /** Opens it, empty, in front. @returns its id */
  open(): Promise<number>;
  /** Brings it to the front: a hidden page is loaded at less than full speed. @throws when it was closed */
  show(tabId: number): Promise<void>;
  /** Leaves the page that is in it. Does nothing when the tab was closed. */
  empty(tabId: number): Promise<void>;
  /** Does nothing when it was closed. */
  close(tabId: number): Promise<void>;
  /** Navigation Timing of the page in it; null where the browser lets nobody ask for it, as on its error pages. */
  navigation(tabId: number): Promise<Navigation | null>;
}

const blank = 'about:blank';

export const runTab: RunTab = {
  async open() {
    const tab = await browser.tabs.create({ url: blank, active: true });
    return tab.id ?? browser.tabs.TAB_ID_NONE;
  },
  async show(tabId) {
    await browser.tabs.update(tabId, { active: true });
  },
  async empty(tabId) {
    await browser.tabs.update(tabId, { url: blank, loadReplace: true }).catch(() => undefined);
  },
  async close(tabId) {
    await browser.tabs.remove(tabId).catch(() => undefined);
  },
  async navigation(tabId) {
    try {
      const [result] = await browser.scripting.executeScript({ target: { tabId }, func: readTiming });
      return navigationFromPage(result?.result);
    } catch {
      return null;
    }
  },
};

/** Runs in the page. `loadEventEnd` is set only after the handlers of the load event have run. */
async function readTiming(): Promise<unknown> {
  const entry = () =>
    performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined;
  for (let tries = 0; tries < 1000 && (entry()?.loadEventEnd ?? 0) === 0; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return {
    timeOrigin: performance.timeOrigin,
    entry: entry()?.toJSON() as unknown,
    firstContentfulPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null,
  };
}
