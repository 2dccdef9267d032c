import * as v from 'valibot';
import type { Navigation } from './trial.ts';

/** A mark is 0 until it is reached, and where the browser hides it; an older browser lacks some. ms */
const MarkSchema = v.pipe(
  v.optional(v.number(), 0),
  v.transform((value) => (value === 0 ? null : value)),
);

/** What counts of `toJSON` of a `PerformanceNavigationTiming`. Source: W3C Navigation Timing 2, Resource Timing. */
const EntrySchema = v.object({
  nextHopProtocol: v.pipe(
    v.optional(v.string(), ''),
    v.transform((protocol) => (protocol === '' ? null : protocol)),
  ),
  responseStatus: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
    v.transform((status) => (status === 0 ? null : status)),
  ),
  domainLookupStart: MarkSchema,
  domainLookupEnd: MarkSchema,
  connectStart: MarkSchema,
  secureConnectionStart: MarkSchema,
  connectEnd: MarkSchema,
  requestStart: MarkSchema,
  responseStart: MarkSchema,
  responseEnd: MarkSchema,
  domContentLoadedEventEnd: MarkSchema,
  loadEventStart: MarkSchema,
  loadEventEnd: MarkSchema,
});

/** What a page tells of its own load, as JSON. */
const PageTimingSchema = v.object({
  /** `performance.timeOrigin` */
  timeOrigin: v.number(),
  /** Missing where the page has none. */
  entry: v.nullish(EntrySchema, {}),
  /** `startTime` of the entry `first-contentful-paint`; null while nothing was painted. */
  firstContentfulPaint: v.nullable(v.number()),
});

/** @returns null for what no page's timing can be: pages are not to be trusted */
export function navigationFromPage(pageTiming: unknown): Navigation | null {
  const parsed = v.safeParse(PageTimingSchema, pageTiming);
  if (!parsed.success) return null;
  const { timeOrigin, entry, firstContentfulPaint } = parsed.output;
  return {
    timeOriginEpochMs: timeOrigin,
    nextHopProtocol: entry.nextHopProtocol,
    status: entry.responseStatus,
    domainLookupStartMs: entry.domainLookupStart,
    domainLookupEndMs: entry.domainLookupEnd,
    connectStartMs: entry.connectStart,
    secureConnectionStartMs: entry.secureConnectionStart,
    connectEndMs: entry.connectEnd,
    requestStartMs: entry.requestStart,
    responseStartMs: entry.responseStart,
    responseEndMs: entry.responseEnd,
    domContentLoadedMs: entry.domContentLoadedEventEnd,
    loadEventStartMs: entry.loadEventStart,
    loadEventEndMs: entry.loadEventEnd,
    firstContentfulPaintMs: firstContentfulPaint,
  };
}
