import type { ObservedReply, PageObserved } from '../../shared/messages/recorder-messages.ts';
import { requestsKept } from '../../shared/messages/requests-kept.ts';
import { timingEntry } from './timing-entry.ts';

export interface PageRecorderLinks {
  /** Null when the background was not there or ended before it answered. */
  tell: (message: PageObserved) => Promise<ObservedReply | null>;
  /** False once the extension is gone. */
  isConnected: () => boolean;
}

/** A page that is still loading after this long is told of as it is. */
const patienceMs = 3000;
/** Requests after the load are told of together. */
const gatherMs = 2000;
const retryMs = { first: 500, last: 30_000 } as const;

/**
 * Records one page from inside it, at next to no cost: entries are only held, and read when the page is idle.
 * What the background has not confirmed is told again, so that it may end at any moment. Makes no request.
 */
export class PageRecorder {
  readonly #links: PageRecorderLinks;
  readonly #observer: PerformanceObserver;
  /** Every request of the page; the popup reads them too. */
  readonly entries: PerformanceResourceTiming[] = [];

  #truncated = false;
  #view = { id: crypto.randomUUID() as string, sinceMs: 0, first: 0, isReturn: false };
  /** Requests of this view that the background has stored. */
  #confirmed = 0;
  /** Something was seen that has not been told. */
  #news = true;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #retryMs: number = retryMs.first;

  constructor(links: PageRecorderLinks) {
    this.#links = links;
    this.#observer = new PerformanceObserver((list) => {
      this.#hold(list.getEntries());
      if (document.readyState === 'complete') this.#tellAfter(gatherMs);
    });
    // Buffered, and from the start: the browser's own buffer ends at 250.
    this.#observer.observe({ type: 'resource', buffered: true });
    addEventListener('load', this.#onLoad);
    addEventListener('pagehide', this.#onHide);
    addEventListener('pageshow', this.#onShow);
    document.addEventListener('visibilitychange', this.#onHide);
    document.addEventListener('prerenderingchange', this.#onLoad);
    this.#tellAfter(patienceMs);
  }

  /** Under which what is in front is told of. */
  get id(): string {
    return this.#view.id;
  }

  readonly #onLoad = (): void => {
    this.#news = true;
    // The load event's own end is known only after its listeners.
    this.#tellAfter(0);
  };

  readonly #onHide = (event: Event): void => {
    // The last chance: a page that is hidden may be ended without another word.
    if (event.type === 'pagehide' || document.visibilityState === 'hidden') void this.#tell();
  };

  readonly #onShow = (event: PageTransitionEvent): void => {
    if (!event.persisted) return;
    this.#view = {
      id: crypto.randomUUID(),
      sinceMs: performance.now(),
      first: this.entries.length,
      isReturn: true,
    };
    this.#confirmed = 0;
    this.#news = true;
    this.#tellAfter(0);
  };

  #hold(seen: PerformanceEntryList): void {
    for (const entry of seen as PerformanceResourceTiming[]) {
      if (this.entries.length < requestsKept) this.entries.push(entry);
      else this.#truncated = true;
      this.#news = true;
    }
  }

  /** Sooner wins over later. */
  #tellAfter(delayMs: number): void {
    if (delayMs > 0 && this.#timer !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      requestIdleCallback(() => void this.#tell(), { timeout: gatherMs });
    }, delayMs);
  }

  async #tell(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#hold(this.#observer.takeRecords());
    // A page that is never shown was never visited.
    if (!this.#news || (document as { prerendering?: boolean }).prerendering) return;
    if (!this.#links.isConnected()) {
      this.#stop();
      return;
    }
    this.#news = false;
    const { id } = this.#view;
    const reply = await this.#links.tell(this.#message());
    if (id !== this.#view.id) return;
    if (reply?.type === 'stop') this.#stop();
    else if (reply) {
      this.#confirmed = Math.max(this.#confirmed, reply.count);
      this.#retryMs = retryMs.first;
    } else {
      this.#news = true;
      this.#tellAfter(this.#retryMs);
      this.#retryMs = Math.min(this.#retryMs * 2, retryMs.last);
    }
  }

  #message(): PageObserved {
    const [navigation] = performance.getEntriesByType('navigation') as (PerformanceNavigationTiming & {
      activationStart?: number;
    })[];
    const { id, sinceMs, first, isReturn } = this.#view;
    const activationStart = navigation?.activationStart ?? 0;
    const kind = isReturn ? 'bfcache' : activationStart > 0 ? 'prerender' : navigation?.type;
    return {
      type: 'page-observed',
      id,
      url: location.href,
      timeOriginMs: performance.timeOrigin,
      wallOriginMs: Date.now() - performance.now(),
      sinceMs,
      kind: kind ?? 'navigate',
      document: navigation && !isReturn ? timingEntry(navigation) : null,
      domContentLoadedEventEnd: isReturn ? 0 : (navigation?.domContentLoadedEventEnd ?? 0),
      loadEventEnd: isReturn ? 0 : (navigation?.loadEventEnd ?? 0),
      activationStart,
      from: this.#confirmed,
      entries: this.entries.slice(first + this.#confirmed).map(timingEntry),
      truncated: this.#truncated,
    };
  }

  #stop(): void {
    this.#observer.disconnect();
    clearTimeout(this.#timer);
    removeEventListener('load', this.#onLoad);
    removeEventListener('pagehide', this.#onHide);
    removeEventListener('pageshow', this.#onShow);
    document.removeEventListener('visibilitychange', this.#onHide);
    document.removeEventListener('prerenderingchange', this.#onLoad);
  }
}
