import * as v from 'valibot';
import { ObservedTimeSchema } from './observed-time.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const protocol = v.nullable(v.pipe(v.string(), v.minLength(1)));

/**
 * Where a response came from, as far as the browser tells:
 * - `network`: whole, over the network;
 * - `revalidated`: from the cache, after the server said that it still holds (304);
 * - `cache`: from the cache alone; its protocol is that of an earlier day and therefore not kept. Firefox tells of what
 *   a service worker answered as if it came from there;
 * - `service-worker`: by way of the page's service worker;
 * - `hidden`: the browser keeps protocol and sizes to itself, since the server sends no Timing-Allow-Origin,
 *   or since the request failed.
 */
export const ObservedSourceSchema = v.picklist([
  'network',
  'revalidated',
  'cache',
  'service-worker',
  'hidden',
]);

/** One request of a page, the document itself included. */
export const ObservedRequestSchema = v.object({
  /** Without user, query and fragment. */
  url: v.string(),
  /** `initiatorType` of Resource Timing: `img`, `script`, `fetch`, ...; `navigation` for the document. */
  initiator: v.string(),
  source: ObservedSourceSchema,
  /** `nextHopProtocol`: `http/1.1`, `h2`, `h3`; null where {@link source} says why. */
  protocol,
  /** Ms since the load began. */
  startMs: v.number(),
  endMs: v.number(),
  /** Bytes of header and body as the browser counts them; null when hidden or by a service worker. */
  transferBytes: v.nullable(count),
  /** True when a connection was opened for this very request; null when hidden. */
  newConnection: v.nullable(v.boolean()),
  /** HTTP status; null where the browser does not tell. */
  status: v.nullable(count),
});
export type ObservedRequest = v.InferOutput<typeof ObservedRequestSchema>;

/** A page as the browser itself told of it, in passing: never a comparison, since nothing was held equal. */
export const ObservationSchema = v.object({
  id: v.string(),
  /** Address of the document, without user, query and fragment. */
  url: v.string(),
  /** True when the address had a query, which is not kept: it may hold secrets. */
  queryCut: v.boolean(),
  /** ISO 8601, when the load, or the return from the back/forward cache, began. */
  startedAt: v.string(),
  /**
   * `load`: an ordinary one; `reload`; `back-forward`: loaded again while going back or forward; `prerender`:
   * loaded before the person went there; `bfcache`: shown again without loading anything.
   */
  kind: v.picklist(['load', 'reload', 'back-forward', 'prerender', 'bfcache']),
  /** Null for `bfcache`, where no document was asked for. */
  document: v.nullable(ObservedRequestSchema),
  /** Ms since the load began; null when it has not come to that, and for `bfcache`. */
  domContentLoadedMs: v.nullable(v.number()),
  loadEventMs: v.nullable(v.number()),
  /** When a prerendered page was shown, ms since its load began; null for all others. */
  shownMs: v.nullable(v.number()),
  requests: v.array(ObservedRequestSchema),
  /** True when there were more requests than are kept. */
  truncated: v.boolean(),
  /** Addresses of the servers by origin; an origin whose address was not seen or not asked for is left out. */
  servers: v.array(v.object({ origin: v.string(), addresses: v.array(v.string()) })),
  /**
   * What the packets said of it, without keys; absent where nobody was to watch them, where nothing was loaded
   * (`bfcache`), and from the first observations.
   */
  wire: v.optional(ObservedTimeSchema),
});
export type Observation = v.InferOutput<typeof ObservationSchema>;

/** What the recorder exports. */
export const ObservationExportSchema = v.object({
  format: v.literal('towline-observations'),
  version: v.literal(1),
  towlineVersion: v.string(),
  exportedAt: v.string(),
  /** Oldest first. */
  observations: v.array(ObservationSchema),
});
export type ObservationExport = v.InferOutput<typeof ObservationExportSchema>;
