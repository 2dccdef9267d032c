import type { ObservedReply, PageObserved } from '../../shared/messages/recorder-messages.ts';
import { requestsKept } from '../../shared/messages/requests-kept.ts';
import { timingEntry } from './timing-entry.ts';

export interface PageRecorderLinks {
  /** Null when the background was not there or ended before it answered. */
  tell: (message: PageObserved) => Promise<ObservedReply | null>;
  /** False in private windows, and once the extension is gone. */
  mayTell: () => boolean;
}

export interface PageRecorder {
  /** Under which what is in front is told of; null while it has not been. */
  id(): string | null;
  /** Every request of the page so far; the popup reads them too. */
  entries(): readonly PerformanceResourceTiming[];
}

/** A page that is still loading after this long is told of as it is. */
const patienceMs = 3000;
/** Requests after the load are told of together. */
const gatherMs = 2000;
const lastRetryMs = 30_000;
/** Entries that the browser keeps by itself: Resource Timing, "resource timing buffer size limit". */
const browserKeeps = 250;

/**
 * Records one page from inside it, at next to no cost: while it loads, the browser's own buffer holds its requests,
 * and they are read once the page has loaded and is idle. An observer from the start would be called for nearly
 * every response, which cost more than reading them all. What the background has not confirmed is told again, so
 * that it may end at any moment. Makes no request.
 *
 * Plain functions over plain variables, and few of them: the browser compiles this anew for every page, and compiling
 * was a third of what a class of the same parts took.
 */
export function recordPage({ tell, mayTell }: PageRecorderLinks): PageRecorder {
  const entries: PerformanceResourceTiming[] = [];
  /** From the first reading on, or since the browser's buffer was full. */
  let observer: PerformanceObserver | undefined;
  /** How many entries the browser keeps. */
  let room = browserKeeps;
  let truncated = false;

  let id: string | null = null;
  /** When the page came back from the back/forward cache, and how many requests it had by then; null at first. */
  let back: { sinceMs: number; first: number } | null = null;
  /** Requests of this view that the background has stored. */
  let confirmed = 0;
  /** Something was seen that has not been told. */
  let news = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retryMs = 500;

  function onEvent({ type, persisted }: Event & { persisted?: boolean }): void {
    if (type === 'load' || type === 'prerenderingchange') {
      news = true;
      tellWhenIdle();
    } else if (type === 'resourcetimingbufferfull') makeRoom();
    else if (type === 'pageshow') {
      if (persisted) begin();
    } else if (type === 'pagehide' || document.visibilityState === 'hidden') {
      // The last chance: a page that is hidden may be ended without another word.
      addEventListener('pageshow', onEvent);
      tellNow();
    }
  }

  function begin(): void {
    read();
    back = { sinceMs: performance.now(), first: entries.length };
    id = null;
    confirmed = 0;
    news = true;
    tellWhenIdle();
  }

  /** What is in the browser's buffer comes with the first reading. */
  function read(): void {
    if (!observer) {
      observer = new PerformanceObserver((list) => {
        hold(list.getEntries());
        tellLater();
      });
      observer.observe({ type: 'resource', buffered: true });
    }
    hold(observer.takeRecords());
  }

  function hold(seen: PerformanceEntryList): void {
    for (const entry of seen as PerformanceResourceTiming[]) {
      if (entries.length < requestsKept) entries.push(entry);
      else truncated = true;
      news = true;
    }
  }

  /** While the page loads, its load event is when to tell. */
  function tellLater(): void {
    if (news && document.readyState === 'complete') tellAfter(gatherMs);
  }

  /**
   * The browser's buffer is full. The observer is told what comes from now on; what has come since the buffer was
   * full waits to be let in, and is dropped unless there is room for it once this event is over (Resource Timing,
   * "fire a buffer full event"). The page finds those few more in its buffer.
   */
  function makeRoom(): void {
    if (observer && room === browserKeeps) return;
    read();
    room += browserKeeps;
    performance.setResourceTimingBufferSize(room);
    setTimeout(() => {
      performance.removeEventListener('resourcetimingbufferfull', onEvent);
      // What waits for the observer is in the buffer too.
      read();
      const held = new Set<PerformanceEntry>(entries);
      hold(performance.getEntriesByType('resource').filter((entry) => !held.has(entry)));
      tellLater();
    });
  }

  /** Unless it is to be told of sooner already. */
  function tellAfter(delayMs: number): void {
    timer ??= setTimeout(tellWhenIdle, delayMs);
  }

  function tellWhenIdle(): void {
    requestIdleCallback(tellNow, { timeout: gatherMs });
  }

  function tellNow(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!mayTell()) {
      stop();
      return;
    }
    // A page that is never shown was never visited.
    if ((document as { prerendering?: boolean }).prerendering) {
      addEventListener('prerenderingchange', onEvent);
      return;
    }
    read();
    if (!news) return;
    news = false;
    // Not `crypto.randomUUID`, which pages without TLS do not have.
    const told = (id ??= `${Date.now()}-${Math.random().toString(36).slice(2)}`);
    void tell(message(told)).then((reply) => {
      if (told !== id) return;
      if (reply?.type === 'stop') stop();
      else if (reply) {
        confirmed = Math.max(confirmed, reply.count);
        retryMs = 500;
      } else {
        news = true;
        tellAfter(retryMs);
        retryMs = Math.min(retryMs * 2, lastRetryMs);
      }
    });
  }

  function message(told: string): PageObserved {
    const [navigation] = performance.getEntriesByType('navigation') as (PerformanceNavigationTiming & {
      activationStart?: number;
    })[];
    const activationStart = navigation?.activationStart ?? 0;
    const load = back ? undefined : navigation;
    return {
      type: 'page-observed',
      id: told,
      url: location.href,
      timeOriginMs: performance.timeOrigin,
      wallOriginMs: Date.now() - performance.now(),
      sinceMs: back?.sinceMs ?? 0,
      kind: back ? 'bfcache' : activationStart > 0 ? 'prerender' : (navigation?.type ?? 'navigate'),
      document: load ? timingEntry(load) : null,
      domContentLoadedEventEnd: load?.domContentLoadedEventEnd ?? 0,
      loadEventEnd: load?.loadEventEnd ?? 0,
      activationStart,
      from: confirmed,
      entries: entries.slice((back?.first ?? 0) + confirmed).map(timingEntry),
      truncated,
    };
  }

  function stop(): void {
    observer?.disconnect();
    clearTimeout(timer);
    for (const type of ['load', 'pagehide', 'pageshow', 'visibilitychange', 'prerenderingchange']) {
      removeEventListener(type, onEvent);
    }
    performance.removeEventListener('resourcetimingbufferfull', onEvent);
  }

  // All on the window, where the document's own arrive too: what the script does not touch need not be made for it.
  addEventListener('load', onEvent);
  addEventListener('pagehide', onEvent);
  addEventListener('visibilitychange', onEvent);
  performance.addEventListener('resourcetimingbufferfull', onEvent);
  tellAfter(patienceMs);
  return {
    id: () => id,
    entries() {
      read();
      tellLater();
      return entries;
    },
  };
}
