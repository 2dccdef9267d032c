import { ArmSchema, type Arm } from '../record/arm.ts';
import { blocksRun } from '../record/blocks-run.ts';
import type { Design } from '../record/record.ts';
import {
  metrics,
  type ArmSummary,
  type Metric,
  type Pair,
  type SampleSummary,
  type Statistics,
} from '../record/statistics.ts';
import type { Trial } from '../record/trial.ts';
import { blocksNeeded } from './blocks-needed.ts';
import { cliffsDelta } from './cliffs-delta.ts';
import { completeRows, countedBlocks, type CountedBlock } from './counted-blocks.ts';
import { friedmanTest, type FriedmanResult } from './friedman-test.ts';
import { gainOf, type BootstrapOptions } from './gain.ts';
import { hodgesLehmann } from './hodges-lehmann.ts';
import { holm } from './holm.ts';
import { mean } from './mean.ts';
import { median, quantile } from './quantile.ts';
import { armPairs, pairedTimes, type ArmPair } from './reductions.ts';
import { finalResamples } from './resamples.ts';
import { signedRankTest } from './signed-rank-test.ts';
import { plannedConfidence } from './stopping-rule.ts';
import { verdictOf } from './verdict.ts';

export interface SummariseOptions {
  /** Of every interval, 0..1; tests are made at what is left of 1. By default what the design planned, else 0.95. */
  confidence?: number;
  resamples?: number;
}

/**
 * The statistics of a comparison, from its trials alone and the same every time: the bootstrap is seeded by the
 * design. Only valid trials of counted blocks enter (see {@link countedBlocks}).
 *
 * Every two arms make a pair; the baseline is the one that comes first in h1, h2, h3, auto. A pair needs
 * {@link blocksNeeded} blocks for an interval and a p-value, and that number for all the pairs of its metric for
 * a verdict; with fewer, the point estimates still stand.
 */
export function summarise(
  trials: readonly Trial[],
  design: Design,
  {
    confidence = plannedConfidence(design.stopping, blocksRun(trials)),
    resamples = finalResamples,
  }: SummariseOptions = {},
): Statistics {
  const bootstrap = { confidence, resamples, seed: design.seed };
  const blocks = countedBlocks(trials);
  const arms = ArmSchema.options.filter((arm) => design.arms.includes(arm));
  return {
    ...bootstrap,
    arms: arms.map((arm) => summariseArm(arm, trials, blocks)),
    friedman: perMetric((metric) => friedmanOf(blocks, arms, metric, confidence)),
    pairs: metrics.flatMap((metric) => summarisePairs(blocks, arms, metric, bootstrap)),
  };
}

function summariseArm(arm: Arm, trials: readonly Trial[], blocks: readonly CountedBlock[]): ArmSummary {
  const own = trials.filter((trial) => trial.arm === arm && !trial.warmup);
  return {
    arm,
    trials: own.length,
    valid: own.filter(({ verdict }) => verdict.valid).length,
    metrics: perMetric((metric) => summariseSample(completeRows(blocks, [arm], metric).flat())),
  };
}

function summariseSample(values: readonly number[]): SampleSummary | null {
  const average = mean(values);
  const middle = median(values);
  const p10 = quantile(values, 0.1);
  const p90 = quantile(values, 0.9);
  if (average === null || middle === null || p10 === null || p90 === null) return null;
  return { n: values.length, median: middle, mean: average, p10, p90 };
}

/** Friedman's test over the arms that have any value, on the blocks that have them all. */
function friedmanOf(
  blocks: readonly CountedBlock[],
  arms: readonly Arm[],
  metric: Metric,
  confidence: number,
): FriedmanResult | null {
  const rows = completeRows(blocks, armsMeasured(blocks, arms, metric), metric);
  return rows.length < blocksNeeded(confidence, 1) ? null : friedmanTest(rows);
}

function armsMeasured(blocks: readonly CountedBlock[], arms: readonly Arm[], metric: Metric): Arm[] {
  return arms.filter((arm) => completeRows(blocks, [arm], metric).length > 0);
}

function summarisePairs(
  blocks: readonly CountedBlock[],
  arms: readonly Arm[],
  metric: Metric,
  bootstrap: BootstrapOptions,
): Pair[] {
  const { confidence } = bootstrap;
  const pairs = armPairs(arms).map((pair) => comparePair(blocks, metric, pair, bootstrap));
  const tested = pairs.flatMap(({ pValue }) => (pValue === null ? [] : [pValue]));
  const adjusted = holm(tested);
  const needed = blocksNeeded(confidence, pairsOf(arms, armsMeasured(blocks, arms, metric)));
  const overallPValue = friedmanOf(blocks, arms, metric, confidence)?.pValue ?? null;
  return pairs.map((pair) => {
    const pAdjusted = pair.pValue === null ? null : (adjusted.shift() ?? null);
    const evidence = { ...pair, pAdjusted, blocksNeeded: needed, overallPValue, alpha: 1 - confidence };
    return { ...pair, pAdjusted, verdict: verdictOf(evidence) };
  });
}

/** Pairs among the arms that have values; while there is none, among all. */
function pairsOf(arms: readonly Arm[], measured: readonly Arm[]): number {
  const count = measured.length < 2 ? arms.length : measured.length;
  return Math.max(1, (count * (count - 1)) / 2);
}

function comparePair(
  blocks: readonly CountedBlock[],
  metric: Metric,
  pair: ArmPair,
  bootstrap: BootstrapOptions,
): Omit<Pair, 'pAdjusted' | 'verdict'> {
  const times = pairedTimes(blocks, pair, metric);
  const [ofBaseline, ofVariant] = [Array.from(times.baseline), Array.from(times.variant)];
  const differences = ofVariant.map((time, block) => time - (ofBaseline[block] ?? NaN));
  const gain = gainOf(times, bootstrap);
  const testable = differences.length >= blocksNeeded(bootstrap.confidence, 1);
  return {
    metric,
    ...pair,
    blocks: differences.length,
    gain: gain?.gain ?? null,
    reductionPercent: gain?.reductionPercent ?? null,
    shiftMs: hodgesLehmann(differences, bootstrap.confidence),
    pValue: testable ? (signedRankTest(differences)?.pValue ?? null) : null,
    cliffsDelta: cliffsDelta(ofVariant, ofBaseline),
  };
}

function perMetric<T>(of: (metric: Metric) => T): Record<Metric, T> {
  return {
    timeOnWireMs: of('timeOnWireMs'),
    setupMs: of('setupMs'),
    wireTotalMs: of('wireTotalMs'),
    loadTimeMs: of('loadTimeMs'),
  };
}
