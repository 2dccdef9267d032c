import * as v from 'valibot';

const ratio = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const positive = v.pipe(v.number(), v.minValue(0));

/**
 * Bursty loss by the Gilbert-Elliott model (E. N. Gilbert, 1960; E. O. Elliott, 1963): a chain of two states that
 * takes one step a packet. All of them shares of packets, 0..1. Mean burst, where all is lost in the bad state and
 * nothing in the good one: 1 / `toGoodRatio` packets.
 */
export const BurstLossSchema = v.object({
  /** Chance of a packet to be the last in the good state (p). */
  toBadRatio: ratio,
  /** Chance of a packet to be the last in the bad state (r). */
  toGoodRatio: ratio,
  /** Loss in the bad state (1-h). */
  lossInBadRatio: ratio,
  /** Loss in the good state (1-k). */
  lossInGoodRatio: ratio,
});
export type BurstLoss = v.InferOutput<typeof BurstLossSchema>;

/** A network as it was asked for. Rates in bit/s, null where the rate is not limited. */
export const ShapeSchema = v.object({
  /** Round-trip time added by the path, ms. */
  rttMs: positive,
  downBitsPerSecond: v.nullable(positive),
  upBitsPerSecond: v.nullable(positive),
  /** Mean loss, each direction on its own, 0..1: each packet by itself, unless it comes in bursts, as below. */
  lossDownRatio: ratio,
  lossUpRatio: ratio,
  /** How the loss comes in bursts; absent where each packet is lost or not by itself. */
  burstLossDown: v.optional(BurstLossSchema),
  burstLossUp: v.optional(BurstLossSchema),
  /** Length of the tail-drop queue at the bottleneck, packets. */
  queuePackets: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /**
   * Each packet's delay is drawn anew from half of `rttMs` plus or minus so much, ms, all values alike (uniform), in
   * each direction; a packet waits for the one before it, so their order stays. Absent: none.
   */
  jitterMs: v.optional(positive),
  /** Share of packets, each direction, that come late by `reorderDelayMs`, so that later ones overtake them. */
  reorderRatio: v.optional(ratio),
  reorderDelayMs: v.optional(positive),
});
export type Shape = v.InferOutput<typeof ShapeSchema>;

/**
 * Loss seen by the probe in one direction, with its 95 % binomial (Wilson) interval. Where loss in bursts was asked
 * for, the interval is as wide as that many dependent packets make it.
 */
export const LossMeasurementSchema = v.object({
  sent: v.pipe(v.number(), v.integer()),
  lost: v.pipe(v.number(), v.integer()),
  ratio,
  interval: v.tuple([ratio, ratio]),
  /** Runs of lost packets with none that arrived between: their mean length is `lost / bursts`. Absent: not known. */
  bursts: v.optional(v.pipe(v.number(), v.integer())),
});
export type LossMeasurement = v.InferOutput<typeof LossMeasurementSchema>;

/** What real TCP connections found; fields as in {@link PathMeasurementSchema}. */
const TcpMeasurementSchema = v.object({
  /** Median time of `rttSamples` handshakes, from SYN to SYN-ACK, ms. */
  rttMs: v.nullable(positive),
  rttSamples: v.pipe(v.number(), v.integer()),
  downBitsPerSecond: v.nullable(positive),
  upBitsPerSecond: v.nullable(positive),
  /** Of all segments, acknowledgements and retransmissions too. */
  lossDown: v.nullable(LossMeasurementSchema),
  lossUp: v.nullable(LossMeasurementSchema),
});
export type TcpMeasurement = v.InferOutput<typeof TcpMeasurementSchema>;

/** Packets that came after one that was sent later (RFC 4737), one direction, with a 95 % interval. */
const ReorderMeasurementSchema = v.object({
  arrived: v.pipe(v.number(), v.integer()),
  late: v.pipe(v.number(), v.integer()),
  ratio,
  interval: v.tuple([ratio, ratio]),
});
export type ReorderMeasurement = v.InferOutput<typeof ReorderMeasurementSchema>;

/** Round-trip time while the bottleneck's queue towards the browser is full. */
const QueueMeasurementSchema = v.object({
  /** What a queue of the asked length, of packets of so many bytes, adds to the path's own round-trip time. */
  packetBytes: v.pipe(v.number(), v.integer()),
  predictedRttMs: positive,
  /** Median of those probes that found room in the queue; null when none came back. */
  rttMs: v.nullable(positive),
  rttSamples: v.pipe(v.number(), v.integer()),
});
export type QueueMeasurement = v.InferOutput<typeof QueueMeasurementSchema>;

export const FamilySchema = v.picklist(['IPv4', 'IPv6']);
export type Family = v.InferOutput<typeof FamilySchema>;

/** A network as the host's own probe found it, by UDP but for `tcp`. */
export const PathMeasurementSchema = v.object({
  /** Median round-trip time of `rttSamples` small probes, ms; null when none came back. */
  rttMs: v.nullable(positive),
  rttSamples: v.pipe(v.number(), v.integer()),
  /** Goodput plus headers at the bottleneck, bit/s; null where the rate is not limited, so not probed. */
  downBitsPerSecond: v.nullable(positive),
  upBitsPerSecond: v.nullable(positive),
  lossDown: v.nullable(LossMeasurementSchema),
  lossUp: v.nullable(LossMeasurementSchema),
  /** What the probe's packets were, in turn; absent in records from when all were IPv4. */
  families: v.optional(v.array(FamilySchema)),
  /** The same by TCP; absent in records from when only UDP was probed. */
  tcp: v.optional(TcpMeasurementSchema),
  /** The uniform distribution's half width that fits the round-trip times, ms; only where jitter was asked for. */
  jitterMs: v.optional(v.nullable(positive)),
  /** Only where reordering was asked for; null where the probe's packets are too far apart to overtake. */
  reorderDown: v.optional(v.nullable(ReorderMeasurementSchema)),
  reorderUp: v.optional(v.nullable(ReorderMeasurementSchema)),
  /** Only where it was asked to be measured; null where the rate towards the browser is not limited. */
  queue: v.optional(v.nullable(QueueMeasurementSchema)),
  /** Bytes the probe sent in both directions together; of TCP connections what they carry, without acknowledgements. */
  probeBytes: positive,
  durationMs: positive,
  /** What lies outside METHOD's limits, in words with both numbers; empty when the path is as asked. */
  deviations: v.array(v.string()),
});
export type PathMeasurement = v.InferOutput<typeof PathMeasurementSchema>;

/** The network path of a comparison: what was asked, what was measured, and what can be seen on it. */
export const PathSchema = v.object({
  /** `lab` own servers; `rootless` pasta; `root` veth and masquerading; `none` the host's own network. */
  kind: v.picklist(['lab', 'rootless', 'root', 'none']),
  /** Where the shaping is done: a namespace's own kernel, a User-Mode Linux guest, or nowhere. */
  router: v.nullable(v.picklist(['namespace', 'user-mode-linux'])),
  asked: v.nullable(ShapeSchema),
  measuredBefore: v.nullable(PathMeasurementSchema),
  measuredAfter: v.nullable(PathMeasurementSchema),
  /** Plain sentences: why this path was chosen, what cannot be seen on it. */
  notes: v.array(v.string()),
});
export type Path = v.InferOutput<typeof PathSchema>;
