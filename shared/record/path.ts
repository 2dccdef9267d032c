import * as v from 'valibot';

const ratio = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const positive = v.pipe(v.number(), v.minValue(0));

/** A network as it was asked for. Rates in bit/s, null where the rate is not limited. */
export const ShapeSchema = v.object({
  /** Round-trip time added by the path, ms. */
  rttMs: positive,
  downBitsPerSecond: v.nullable(positive),
  upBitsPerSecond: v.nullable(positive),
  /** Random loss, each direction on its own, 0..1. */
  lossDownRatio: ratio,
  lossUpRatio: ratio,
  /** Length of the tail-drop queue at the bottleneck, packets. */
  queuePackets: v.pipe(v.number(), v.integer(), v.minValue(1)),
});
export type Shape = v.InferOutput<typeof ShapeSchema>;

/** Loss seen by the probe in one direction, with its 95 % binomial (Wilson) interval. */
export const LossMeasurementSchema = v.object({
  sent: v.pipe(v.number(), v.integer()),
  lost: v.pipe(v.number(), v.integer()),
  ratio,
  interval: v.tuple([ratio, ratio]),
});
export type LossMeasurement = v.InferOutput<typeof LossMeasurementSchema>;

/** A network as the host's own probe found it. */
export const PathMeasurementSchema = v.object({
  /** Median round-trip time of `rttSamples` small probes, ms. */
  rttMs: v.nullable(positive),
  rttSamples: v.pipe(v.number(), v.integer()),
  /** Goodput plus headers at the bottleneck, bit/s; null where the rate is not limited, so not probed. */
  downBitsPerSecond: v.nullable(positive),
  upBitsPerSecond: v.nullable(positive),
  lossDown: v.nullable(LossMeasurementSchema),
  lossUp: v.nullable(LossMeasurementSchema),
  /** Bytes the probe sent in both directions together. */
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
