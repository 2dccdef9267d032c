import type { Arm } from '../record/arm.ts';
import type { Estimate } from '../record/statistics.ts';
import { bootstrapLogGain } from './block-bootstrap.ts';
import { blocksNeeded } from './blocks-needed.ts';
import { expandedTail, type BootstrapOptions } from './gain.ts';
import { quantileOfSorted } from './quantile.ts';
import { requireFinite } from './require-finite.ts';
import { seededGenerator, type Random } from './seeded-generator.ts';

/** The times of one comparison, ms, in the order of its arms; null where a block has no valid trial of an arm. */
export type BlockTimes = readonly (readonly (number | null)[])[];

/** What two comparisons of one page have in common, and what of it differs between them. */
export interface Changes {
  /** Per arm: 100 * (median of the second / median of the first - 1), %. */
  arms: (Change & { arm: Arm })[];
  /** Per pair: percent of time saved in the second less that in the first, percentage points. */
  pairs: (Change & { baseline: Arm; variant: Arm })[];
}

export interface Change {
  /** Blocks of the first and the second comparison that it rests on. */
  blocks: readonly [number, number];
  /** Null where a comparison has no block, or a time that is not above 0. */
  change: Estimate | null;
  /** Whether it is more than chance at the level of all arms, or all pairs, together (Bonferroni). */
  shown: boolean;
}

/**
 * How a page's times, and the gains between its arms, differ between two comparisons that were made
 * independently: on two networks, in two browsers, on two days. Blocks are resampled within each comparison
 * (two-sample bootstrap, Davison and Hinkley 1997, 3.3), and the interval is the expanded percentile interval
 * (Hesterberg 2015) with the fewer blocks of the two.
 *
 * Within one comparison the arms were loaded in random order. Between two they were not: a change may come from
 * anything that was different, the hour too.
 *
 * @param arms of both comparisons; the columns of the times
 * @throws TowlineError `bad-argument` for NaN or Infinity
 */
export function changesBetween(
  arms: readonly Arm[],
  first: BlockTimes,
  second: BlockTimes,
  options: BootstrapOptions,
): Changes {
  const random = seededGenerator(options.seed);
  const pairs = arms.flatMap((baseline, index) =>
    arms.slice(index + 1).map((variant) => ({ baseline, variant })),
  );
  const column = (arm: Arm): number => arms.indexOf(arm);
  return {
    arms: arms.map((arm) => ({
      arm,
      ...changeOf(
        [first, second].map((times) => logMedians(times, column(arm))),
        (from, to) => 100 * (Math.exp(to - from) - 1),
        arms.length,
        options,
        random,
      ),
    })),
    pairs: pairs.map((pair) => ({
      ...pair,
      ...changeOf(
        [first, second].map((times) => completePairs(times, column(pair.baseline), column(pair.variant))),
        (from, to) => 100 * (Math.exp(-from) - Math.exp(-to)),
        pairs.length,
        options,
        random,
      ),
    })),
  };
}

interface Times {
  baseline: Float64Array;
  variant: Float64Array;
}

/** An arm against the constant 1: the logarithm of that gain is the logarithm of the arm's median. */
function logMedians(times: BlockTimes, arm: number): Times {
  const baseline = Float64Array.from(times.flatMap((row) => row[arm] ?? []));
  return { baseline, variant: new Float64Array(baseline.length).fill(1) };
}

function completePairs(times: BlockTimes, baseline: number, variant: number): Times {
  const rows = times.flatMap((row) => {
    const [from, to] = [row[baseline] ?? null, row[variant] ?? null];
    return from === null || to === null ? [] : [[from, to] as const];
  });
  return {
    baseline: Float64Array.from(rows, ([time]) => time),
    variant: Float64Array.from(rows, ([, time]) => time),
  };
}

function changeOf(
  [first, second]: readonly Times[],
  between: (firstLog: number, secondLog: number) => number,
  family: number,
  { confidence, resamples }: BootstrapOptions,
  random: Random,
): Change {
  const none = { baseline: new Float64Array(0), variant: new Float64Array(0) };
  const [from, to] = [first ?? none, second ?? none];
  const blocks = [from.baseline.length, to.baseline.length] as const;
  const fewest = Math.min(...blocks);
  const all = [from, to].flatMap(({ baseline, variant }) => [...baseline, ...variant]);
  requireFinite(all);
  if (fewest < 2 || !all.every((time) => time > 0)) return { blocks, change: null, shown: false };
  const before = bootstrapLogGain(from, resamples, random);
  const after = bootstrapLogGain(to, resamples, random);
  const value = between(before.estimate, after.estimate);
  if (fewest < blocksNeeded(confidence, 1)) {
    return { blocks, change: { value, low: null, high: null }, shown: false };
  }
  const sorted = before.replicates
    .map((log, resample) => between(log, after.replicates[resample] ?? NaN))
    .sort();
  const interval = (asked: number): [number, number] => {
    const tail = expandedTail(asked, fewest);
    return [quantileOfSorted(sorted, tail) ?? value, quantileOfSorted(sorted, 1 - tail) ?? value];
  };
  const [low, high] = interval(confidence);
  const [lowOfAll, highOfAll] = interval(1 - (1 - confidence) / family);
  return {
    blocks,
    change: { value, low, high },
    shown: fewest >= blocksNeeded(confidence, family) && (lowOfAll > 0 || highOfAll < 0),
  };
}
