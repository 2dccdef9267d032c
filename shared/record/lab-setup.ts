import * as v from 'valibot';

/** The most servers a lab has: the document's and seven shards. */
export const maxServers = 8;

/** Segments a server may be told to begin with. The largest is what a route's `initcwnd` is of use for in the field. */
const initialWindow = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100));

/** How a lab's servers are set up, as asked for. */
export const LabSetupSchema = v.object({
  /** `caddy` speaks HTTP/1.1, 2 and 3; `apache` HTTP/1.1 and 2, with a limit of streams that can be chosen. */
  server: v.picklist(['caddy', 'apache']),
  /** Servers that the page's files are dealt over in turn, the document on the first; 1: all on one. */
  shards: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxServers)),
  /** The only version of IP by which the servers' names are known. */
  ipVersion: v.picklist([4, 6]),
  /**
   * TCP's initial congestion window of each server, segments; as many as there are servers. QUIC brings its own,
   * which no server here lets one choose.
   */
  initialWindowPackets: v.pipe(v.array(initialWindow), v.minLength(1), v.maxLength(maxServers)),
  /** TCP's congestion control, by Linux' name for it, of servers and browser. QUIC brings its own. */
  congestionControl: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_-]{0,14}$/)),
  /** Streams that a server allows at once on an HTTP/2 connection; null: as many as it does by itself. */
  maxStreams: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100))),
});
export type LabSetup = v.InferOutput<typeof LabSetupSchema>;

export type ServerKind = LabSetup['server'];
