import * as v from 'valibot';

const ms = v.number();
const bytes = v.pipe(v.number(), v.minValue(0));
/** Longer than any browser takes: a page may tell what it likes. */
const address = v.pipe(v.string(), v.maxLength(2 ** 21));

/**
 * A Resource Timing or Navigation Timing entry, its fields in this order: a tuple, since reading a page has a
 * millisecond for all of them and names would be most of what is handed over.
 */
export const TimingEntrySchema = v.tuple([
  /** name: the address */ address,
  /** initiatorType */ v.string(),
  /** nextHopProtocol */ v.string(),
  /** startTime */ ms,
  /** responseEnd */ ms,
  /** connectStart */ ms,
  /** connectEnd */ ms,
  /** requestStart; 0 when hidden */ ms,
  /** workerStart; 0 without a service worker */ ms,
  /** transferSize */ bytes,
  /** encodedBodySize */ bytes,
  /** deliveryType: `cache`, `navigational-prefetch` or empty; empty where unknown to the browser */ v.string(),
  /** responseStatus; 0 when hidden or unknown to the browser */ v.number(),
]);
export type TimingEntry = v.InferOutput<typeof TimingEntrySchema>;

/** What a page is asked for: what there is now, or what there is as it is left. */
export type ReadingTime = 'now' | 'leaving';

/** What a page tells of itself. It runs beside the page's own scripts: whatever they say of themselves, it says. */
export const PageReadingSchema = v.object({
  url: address,
  /** Ms since the epoch: the zero of all other times. */
  timeOriginMs: ms,
  /** By the clock on the wall, and since the time origin: when it was read. */
  wallMs: ms,
  atMs: ms,
  /** When its document began to arrive. */
  responseStart: ms,
  /** `type` of Navigation Timing. */
  type: v.picklist(['navigate', 'reload', 'back_forward', 'prerender']),
  /** Each 0 while it has not happened. */
  domContentLoadedEventEnd: ms,
  loadEventEnd: ms,
  /** When a prerendered page was shown; not in Firefox. */
  activationStart: v.optional(ms, 0),
  /** Of the document, then of its requests. */
  entries: v.tupleWithRest([TimingEntrySchema], TimingEntrySchema),
  /** `kept`: it was left, but may come back from the back/forward cache. */
  when: v.picklist(['now', 'left', 'kept']),
});
export type PageReading = v.InferOutput<typeof PageReadingSchema>;
