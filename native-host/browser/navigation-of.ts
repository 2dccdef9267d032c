import type { Page } from 'puppeteer-core';
import type { Navigation } from '../../shared/record/trial.ts';

/**
 * Navigation Timing of the page just loaded. Waits until the load event has ended, since `loadEventEnd` is set
 * only after its handlers have run. Marks the browser did not reach are 0 there and null here.
 */
export async function navigationOf(page: Page): Promise<Navigation> {
  return await page.evaluate(async () => {
    const entry = (): PerformanceNavigationTiming | undefined =>
      performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined;
    while ((entry()?.loadEventEnd ?? 0) === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    const timing = entry();
    const mark = (value: number | undefined): number | null =>
      value === undefined || value === 0 ? null : value;
    const paint = performance.getEntriesByName('first-contentful-paint')[0];
    return {
      timeOriginEpochMs: performance.timeOrigin,
      nextHopProtocol: timing?.nextHopProtocol === '' ? null : (timing?.nextHopProtocol ?? null),
      status: mark(timing?.responseStatus),
      domainLookupStartMs: mark(timing?.domainLookupStart),
      domainLookupEndMs: mark(timing?.domainLookupEnd),
      connectStartMs: mark(timing?.connectStart),
      secureConnectionStartMs: mark(timing?.secureConnectionStart),
      connectEndMs: mark(timing?.connectEnd),
      requestStartMs: mark(timing?.requestStart),
      responseStartMs: mark(timing?.responseStart),
      responseEndMs: mark(timing?.responseEnd),
      domContentLoadedMs: mark(timing?.domContentLoadedEventEnd),
      loadEventStartMs: mark(timing?.loadEventStart),
      loadEventEndMs: mark(timing?.loadEventEnd),
      firstContentfulPaintMs: mark(paint?.startTime),
    };
  });
}
