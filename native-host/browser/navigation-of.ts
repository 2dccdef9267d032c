import type { Page } from 'puppeteer-core';
import { navigationFromPage } from '../../shared/record/navigation-from-page.ts';
import type { Navigation } from '../../shared/record/trial.ts';

/**
 * Navigation Timing of the page just loaded. Waits until the load event has ended, since `loadEventEnd` is set
 * only after its handlers have run.
 */
export async function navigationOf(page: Page): Promise<Navigation | null> {
  const told = await page.evaluate(async () => {
    const entry = () =>
      performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined;
    while ((entry()?.loadEventEnd ?? 0) === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    return {
      timeOrigin: performance.timeOrigin,
      entry: entry()?.toJSON() as unknown,
      firstContentfulPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null,
    };
  });
  return navigationFromPage(told);
}
