import * as v from 'valibot';
import { ProtocolSchema } from './arm.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const ms = v.number();

/**
 * A figure read from packets. `value` is null when it cannot be known; `missing` then says why.
 * `errorBoundMs` is how far a keyless value may lie from the truth; 0 for keyed ones.
 */
export const FigureSchema = v.object({
  value: v.nullable(ms),
  errorBoundMs: v.nullable(ms),
  missing: v.nullable(v.string()),
});
export type Figure = v.InferOutput<typeof FigureSchema>;

/** Minimum, median and maximum of a series of round-trip times, ms. */
export const RttSeriesSchema = v.object({ samples: count, minMs: ms, medianMs: ms, maxMs: ms });

/** Why a request waited, ms; the six parts never overlap. Definitions: native-host/wire/waits.ts. */
export const WaitsSchema = v.object({
  /** (a) for its connection's handshake. */
  connectionMs: v.nullable(ms),
  /** (b) in the browser, the connection being ready, before it was sent. */
  browserMs: v.nullable(ms),
  /** (c) for the server, from the request's last packet to the response's first byte, less one RTT. */
  serverMs: v.nullable(ms),
  /** (d) behind bytes of other streams on the same connection. */
  behindStreamsMs: v.nullable(ms),
  /** (e) for a lost packet of another stream to be repaired (TCP head-of-line blocking). */
  otherLossMs: v.nullable(ms),
  /** (e) for a lost packet of its own. */
  ownLossMs: v.nullable(ms),
});
export type Waits = v.InferOutput<typeof WaitsSchema>;

/**
 * One request as the packets show it. All times in ms since `epochMs` of the {@link WireSchema}.
 * Keyless analysis gives no requests.
 */
export const WireRequestSchema = v.object({
  flowId: count,
  /** HTTP/2 or QUIC stream; for HTTP/1.1 the ordinal of the request on its connection. */
  streamId: count,
  method: v.nullable(v.string()),
  authority: v.nullable(v.string()),
  path: v.nullable(v.string()),
  status: v.nullable(count),
  /** First and last packet of the request. */
  requestFirstAtMs: ms,
  requestLastAtMs: ms,
  /** Packet of the first response byte (header block) and of the last (END_STREAM, FIN or body end). */
  responseFirstAtMs: v.nullable(ms),
  responseLastAtMs: v.nullable(ms),
  requestBytes: count,
  /** Response bytes of this stream, headers and body as sent (compressed), without TLS, frames or packets. */
  responseBytes: count,
  /** True when the response ended as its protocol says, not by a cut. */
  complete: v.boolean(),
  /** True for requests of the page, false for the browser's own (favicon). */
  page: v.boolean(),
  waits: WaitsSchema,
});
export type WireRequest = v.InferOutput<typeof WireRequestSchema>;

/** One TCP or QUIC connection. Times in ms since `epochMs`. "down" is towards the browser. */
export const WireFlowSchema = v.object({
  id: count,
  transport: v.picklist(['tcp', 'quic']),
  /** As negotiated (keyed, or by ALPN in the clear), else the only one offered, else null. */
  protocol: v.nullable(ProtocolSchema),
  clientAddress: v.string(),
  clientPort: count,
  serverAddress: v.string(),
  serverPort: count,
  sni: v.nullable(v.string()),
  alpnOffered: v.array(v.string()),
  /** `1.2`, `1.3`, or null; QUIC is always `1.3`. */
  tlsVersion: v.nullable(v.string()),
  /** `v1`, `v2` or the version in hexadecimal; null on TCP. */
  quicVersion: v.nullable(v.string()),
  resumed: v.nullable(v.boolean()),
  earlyData: v.nullable(v.boolean()),
  /** The extension was in the ClientHello, whatever was in it. */
  encryptedClientHello: v.nullable(v.boolean()),
  /**
   * What became of it: `offered` is all that can be told without keys; `grease` were random bytes. Null without the
   * extension. Absent from the first records. Definitions: native-host/wire/tls/handshake-facts.ts.
   */
  encryptedClientHelloState: v.optional(v.nullable(v.picklist(['offered', 'grease', 'refused', 'accepted']))),
  firstPacketAtMs: ms,
  lastPacketAtMs: ms,
  /** SYN to SYN-ACK, or first client Initial to first server packet, ms. */
  handshakeRttMs: v.nullable(ms),
  /** First packet to the client's TLS Finished (QUIC: first client 1-RTT packet), ms. */
  handshakeMs: v.nullable(ms),
  /** IP bytes, headers included. */
  bytesDown: count,
  bytesUp: count,
  packetsDown: count,
  packetsUp: count,
  /**
   * TCP segments whose payload was seen before, or that fill a hole one round trip after it was first seen; null
   * on QUIC, where a resent frame looks new. With those out of order they are the segments that Wireshark calls
   * retransmission or out of order; which of the two, it decides otherwise: native-host/wire/tcp/tcp-half.ts.
   */
  retransmissionsDown: v.nullable(count),
  retransmissionsUp: v.nullable(count),
  outOfOrderDown: v.nullable(count),
  /** Absent from the first records. */
  outOfOrderUp: v.optional(v.nullable(count)),
  duplicateAcksUp: v.nullable(count),
  maxBytesInFlightDown: v.nullable(count),
  /** Packets of the server's first flight of application data; null when not seen. */
  initialWindowPackets: v.nullable(count),
  /**
   * Requests that the server lets be open at once, as it says encrypted: on HTTP/2 what it set last
   * (SETTINGS_MAX_CONCURRENT_STREAMS, RFC 9113 section 6.5.2), on QUIC what it begins with (initial_max_streams_bidi,
   * RFC 9000 section 18.2). Null where it set none or keys are missing. Absent from the first records.
   */
  streamLimit: v.optional(v.nullable(count)),
  /**
   * Round trips after the handshake, from the client's end: from client data to the server's ACK of it; on QUIC that
   * takes keys, or else a spin bit that turns. Null without any: `ackRttMissing` then says why.
   */
  ackRtt: v.nullable(RttSeriesSchema),
  /** Both absent from the first records, in which all were by `tcp-ack`. */
  ackRttBy: v.optional(v.nullable(v.picklist(['tcp-ack', 'quic-ack', 'spin-bit']))),
  ackRttMissing: v.optional(v.nullable(v.string())),
  /** Payload bytes down per second between first and last response byte, bit/s. */
  goodputBitsPerSecond: v.nullable(v.number()),
  /** Requests read on this flow; null keyless. */
  requests: v.nullable(count),
  /** True when it carried the page's requests (keyed) or may have (keyless). */
  page: v.boolean(),
  /** True when its requests could be read: it was decrypted, or never encrypted. */
  keyed: v.boolean(),
});
export type WireFlow = v.InferOutput<typeof WireFlowSchema>;

/**
 * The packets of the page's flows over time, in bins of equal width; every list has one number per bin. Their sums
 * are the totals of the {@link WireSchema}.
 */
export const TrafficSchema = v.object({
  /** Width of a bin: a power of two, so that a load has 128 bins or fewer. */
  binMs: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** Where the first bin begins, ms since `epochMs`; at most 0, since bins begin at whole multiples of their width. */
  fromMs: ms,
  /** IP bytes, headers included. */
  bytesDown: v.array(count),
  bytesUp: v.array(count),
  packetsDown: v.array(count),
  packetsUp: v.array(count),
});
export type Traffic = v.InferOutput<typeof TrafficSchema>;

/** What the packets of one page load say. Source of the definitions: Elkhatib et al. 2014, METHOD. */
export const WireSchema = v.object({
  method: v.picklist(['keyed', 'keyless']),
  /** Wall-clock time of `firstPacketAt`, ms since 1970; all `...AtMs` count from here. Null with no page flow. */
  epochMs: v.nullable(v.number()),
  firstRequestAtMs: FigureSchema,
  lastResponseAtMs: FigureSchema,
  timeOnWireMs: FigureSchema,
  setupMs: FigureSchema,
  wireTotalMs: FigureSchema,
  /** Sums over the page's flows, IP bytes. */
  bytesDown: count,
  bytesUp: count,
  packetsDown: count,
  packetsUp: count,
  retransmissionsDown: count,
  /** Null with no page flow, and in records written before it was kept. */
  traffic: v.optional(v.nullable(TrafficSchema), null),
  flows: v.array(WireFlowSchema),
  requests: v.array(WireRequestSchema),
  /** Packets that are no TCP or UDP flow of the page: DNS, other hosts, unknown protocols; by name. */
  otherPackets: v.record(v.string(), count),
  /** What the reader could not do, in words. */
  notes: v.array(v.string()),
});
export type Wire = v.InferOutput<typeof WireSchema>;
