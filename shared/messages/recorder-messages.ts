import * as v from 'valibot';
import { requestsKept } from './requests-kept.ts';

const ms = v.number();
const bytes = v.pipe(v.number(), v.minValue(0));

/**
 * A Resource Timing or Navigation Timing entry, its fields in this order: a tuple, since the content script
 * has a millisecond for all of them and names would be most of the message.
 */
export const TimingEntrySchema = v.tuple([
  /** name: the address */ v.string(),
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

/** What the recorder in a page tells the background: all of the page's state, and its requests from `from` on. */
export const PageObservedSchema = v.object({
  type: v.literal('page-observed'),
  /** The same in every message about one load. */
  id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,64}$/)),
  url: v.string(),
  /** Ms since the epoch: the zero of all times of the entries. */
  timeOriginMs: ms,
  /**
   * The same by the clock on the wall, which packets are timed by: a browser goes on counting from when it began, so
   * that the two part when that clock is set, or the machine sleeps.
   */
  wallOriginMs: ms,
  /** Ms since the time origin: 0, or when the page came back from the back/forward cache. */
  sinceMs: ms,
  /** `type` of Navigation Timing, `prerender` for every prerendered page, or `bfcache`. */
  kind: v.picklist(['navigate', 'reload', 'back_forward', 'prerender', 'bfcache']),
  document: v.nullable(TimingEntrySchema),
  /** Each 0 while it has not happened. */
  domContentLoadedEventEnd: ms,
  loadEventEnd: ms,
  activationStart: ms,
  /** How many requests the background has confirmed already. */
  from: v.pipe(v.number(), v.integer(), v.minValue(0)),
  entries: v.pipe(v.array(TimingEntrySchema), v.maxLength(requestsKept)),
  truncated: v.boolean(),
});
export type PageObserved = v.InferOutput<typeof PageObservedSchema>;

/** What the popup reads from the page in front of the person, recorded or not. */
export const PageSnapshotSchema = v.object({
  /** Under which its observation is stored; null where it is not recorded. */
  recordedAs: v.nullable(v.string()),
  document: v.nullable(TimingEntrySchema),
  entries: v.array(TimingEntrySchema),
  /** True when the browser kept no more of the page's requests. */
  truncated: v.boolean(),
});
export type PageSnapshot = v.InferOutput<typeof PageSnapshotSchema>;

/** The background's answer: how many requests of this page are stored, or that this page is not to be recorded. */
export type ObservedReply = { type: 'stored'; count: number } | { type: 'stop' };
