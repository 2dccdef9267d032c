import type { PageReading, ReadingTime } from '../../shared/messages/page-reading.ts';

/**
 * Runs in a page, in its scripts' own world: to make one apart costs the page more than all of this does
 * (script/bench perturbation). So it can only take the page's word, and leaves nothing behind. It is handed over as
 * its text, and must need nothing from outside itself; the same text is compiled once for all pages of a process, so
 * that nothing of one page is asked for by what it is called with. What it tells now is told without another function,
 * since each is compiled by itself.
 *
 * It waits only in a page that has loaded: Chrome holds back the load event for an answer that it waits for.
 *
 * @returns null where a page is still loading that is to wait, and where it cannot tell of itself
 */
export function readPage(when: ReadingTime | PageReading['when']): unknown {
  if (when === 'leaving') {
    if (document.readyState !== 'complete') return null;
    // Async, since a page may have put a promise of its own making in the place of the browser's.
    return (async () => {
      const { persisted } = await new Promise<PageTransitionEvent>((resolve) => {
        addEventListener('pagehide', resolve, { once: true });
      });
      return readPage(persisted ? 'kept' : 'left');
    })();
  }
  const clock = performance;
  const navigation = clock.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined;
  if (!navigation) return null;
  const timed = clock.getEntriesByType('resource') as PerformanceResourceTiming[];
  timed.unshift(navigation);
  const entries = [];
  for (const entry of timed) {
    entries.push([
      entry.name,
      entry.initiatorType,
      entry.nextHopProtocol,
      entry.startTime,
      entry.responseEnd,
      entry.connectStart,
      entry.connectEnd,
      entry.requestStart,
      entry.workerStart,
      entry.transferSize,
      entry.encodedBodySize,
      // Not in Firefox.
      (entry as { deliveryType?: string }).deliveryType ?? '',
      entry.responseStatus,
    ]);
  }
  return {
    url: location.href,
    timeOriginMs: clock.timeOrigin,
    wallMs: Date.now(),
    atMs: clock.now(),
    responseStart: navigation.responseStart,
    type: navigation.type,
    domContentLoadedEventEnd: navigation.domContentLoadedEventEnd,
    loadEventEnd: navigation.loadEventEnd,
    activationStart: (navigation as { activationStart?: number }).activationStart,
    entries,
    when,
  };
}
