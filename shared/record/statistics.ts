import * as v from 'valibot';
import { ArmSchema } from './arm.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** What is compared, ms: the three figures of the wire, and the browser's load time. */
export const MetricSchema = v.picklist(['timeOnWireMs', 'setupMs', 'wireTotalMs', 'loadTimeMs']);
export type Metric = v.InferOutput<typeof MetricSchema>;
export const metrics = MetricSchema.options;

/** Summary of the valid, counted trials of one arm. */
export const SampleSummarySchema = v.object({
  n: count,
  median: v.number(),
  mean: v.number(),
  p10: v.number(),
  p90: v.number(),
});
export type SampleSummary = v.InferOutput<typeof SampleSummarySchema>;

export const ArmSummarySchema = v.object({
  arm: ArmSchema,
  /** All trials run in this arm, the warm-up left out. */
  trials: count,
  valid: count,
  /** Per metric; null when no valid trial has it. */
  metrics: v.record(MetricSchema, v.nullable(SampleSummarySchema)),
});
export type ArmSummary = v.InferOutput<typeof ArmSummarySchema>;

/** An estimate with its interval, at the confidence of the statistics; `low` and `high` are null when there are too few blocks for one. */
export const EstimateSchema = v.object({
  value: v.number(),
  low: v.nullable(v.number()),
  high: v.nullable(v.number()),
});
export type Estimate = v.InferOutput<typeof EstimateSchema>;

/** One pair of arms on one metric, over the blocks in which both are valid. */
export const PairSchema = v.object({
  metric: MetricSchema,
  baseline: ArmSchema,
  variant: ArmSchema,
  blocks: count,
  /** median(baseline) / median(variant): above 1 the variant is faster (White et al. 2012). */
  gain: v.nullable(EstimateSchema),
  /** 100 * (1 - median(variant) / median(baseline)), % (Elkhatib et al. 2014). */
  reductionPercent: v.nullable(EstimateSchema),
  /** Hodges-Lehmann shift of variant minus baseline, ms. */
  shiftMs: v.nullable(EstimateSchema),
  /** Wilcoxon signed-rank over blocks, two-sided. */
  pValue: v.nullable(v.number()),
  /** The same after Holm over the pairs of this metric. */
  pAdjusted: v.nullable(v.number()),
  /** Cliff's delta, -1..1: above 0 the variant's times tend to be larger. */
  cliffsDelta: v.nullable(v.number()),
  verdict: v.object({
    direction: v.picklist(['faster', 'slower', 'no-difference-shown', 'not-enough-data']),
    /** For a person: "h3 faster by 12 % (8 to 15 %)". */
    words: v.string(),
  }),
});
export type Pair = v.InferOutput<typeof PairSchema>;

/** A pair's answer: all that is said of it in words and drawn in a forest plot. */
export const PairAnswerSchema = v.pick(PairSchema, [
  'metric',
  'baseline',
  'variant',
  'blocks',
  'reductionPercent',
  'pAdjusted',
  'verdict',
]);
export type PairAnswer = v.InferOutput<typeof PairAnswerSchema>;

export const StatisticsSchema = v.object({
  /** Intervals and tests are two-sided at this level. */
  confidence: v.number(),
  resamples: count,
  seed: count,
  arms: v.array(ArmSummarySchema),
  /** Friedman test over the arms per metric; null with fewer than three arms or too few blocks. */
  friedman: v.record(MetricSchema, v.nullable(v.object({ statistic: v.number(), pValue: v.number() }))),
  pairs: v.array(PairSchema),
});
export type Statistics = v.InferOutput<typeof StatisticsSchema>;
