import { ArmSchema, type Arm } from '../record/arm.ts';
import type { Estimate, Metric } from '../record/statistics.ts';
import type { Trial } from '../record/trial.ts';
import type { PairedTimes } from './block-bootstrap.ts';
import { completeRows, countedBlocks, type CountedBlock } from './counted-blocks.ts';
import { gainOf, type BootstrapOptions } from './gain.ts';

/** Two arms; the baseline is the one that comes first in h1, h2, h3, auto. */
export interface ArmPair {
  baseline: Arm;
  variant: Arm;
}

/** Every two of these arms. Empty for fewer than two. */
export function armPairs(arms: readonly Arm[]): ArmPair[] {
  const ordered = ArmSchema.options.filter((arm) => arms.includes(arm));
  return ordered.flatMap((baseline, place) =>
    ordered.slice(place + 1).map((variant) => ({ baseline, variant })),
  );
}

/** The times of two arms, ms, in the blocks that have both. */
export function pairedTimes(
  blocks: readonly CountedBlock[],
  { baseline, variant }: ArmPair,
  metric: Metric,
): PairedTimes {
  const rows = completeRows(blocks, [baseline, variant], metric);
  return {
    baseline: Float64Array.from(rows, ([time = NaN]) => time),
    variant: Float64Array.from(rows, ([, time = NaN]) => time),
  };
}

/** How much time a pair's variant has saved so far, %; see `reductionPercent` of a pair's statistics. */
export interface Reduction extends ArmPair {
  reductionPercent: Estimate | null;
}

/**
 * The percent reductions that a run is steered by: those of Time on Wire, or of load time while no trial has a
 * Time on Wire. The same figures as {@link summarise} gives with the same options.
 */
export function leadingReductions(
  trials: readonly Trial[],
  arms: readonly Arm[],
  bootstrap: BootstrapOptions,
): { metric: Metric; pairs: Reduction[] } {
  const blocks = countedBlocks(trials);
  const onWire = arms.some((arm) => completeRows(blocks, [arm], 'timeOnWireMs').length > 0);
  const metric = onWire ? 'timeOnWireMs' : 'loadTimeMs';
  const pairs = armPairs(arms).map((pair) => ({
    ...pair,
    reductionPercent: gainOf(pairedTimes(blocks, pair, metric), bootstrap)?.reductionPercent ?? null,
  }));
  return { metric, pairs };
}
