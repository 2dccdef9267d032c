import type { Arm } from '../record/arm.ts';
import type { Metric } from '../record/statistics.ts';
import type { Trial } from '../record/trial.ts';

/** The valid trials of one block that count, by arm. */
export type CountedBlock = ReadonlyMap<Arm, Trial>;

/**
 * Which trials count: per block the valid ones of a single attempt, so that what is paired ran back to back and
 * no block weighs more than another. It is the attempt with the most valid arms, the last among equals: the one
 * in which all were valid, if there was one. Warm-up blocks, and blocks without a valid trial, are left out.
 */
export function countedBlocks(trials: readonly Trial[]): CountedBlock[] {
  const best = new Map<number, CountedBlock>();
  for (const attempt of attemptsInOrder(trials)) {
    const [first] = attempt;
    if (!first) continue;
    const valid = new Map(attempt.filter(({ verdict }) => verdict.valid).map((trial) => [trial.arm, trial]));
    const rival = best.get(first.block);
    if (valid.size > 0 && valid.size >= (rival?.size ?? 0)) best.set(first.block, valid);
  }
  return [...best.entries()].sort(([a], [b]) => a - b).map(([, block]) => block);
}

function attemptsInOrder(trials: readonly Trial[]): Trial[][] {
  const attempts = new Map<string, Trial[]>();
  for (const trial of trials.filter(({ warmup }) => !warmup)) {
    const key = `${trial.block}/${trial.attempt}`;
    attempts.set(key, [...(attempts.get(key) ?? []), trial]);
  }
  return [...attempts.values()].sort((a, b) => (a[0]?.attempt ?? 0) - (b[0]?.attempt ?? 0));
}

/** One figure of one trial, ms; null where it was not measured. */
export function metricOf(trial: Trial, metric: Metric): number | null {
  return metric === 'loadTimeMs' ? trial.loadTimeMs : (trial.wire?.[metric].value ?? null);
}

/** The values of these arms in every block that has them all: one row per block, in the order of the arms. */
export function completeRows(
  blocks: readonly CountedBlock[],
  arms: readonly Arm[],
  metric: Metric,
): number[][] {
  return blocks.flatMap((block) => {
    const row = arms.flatMap((arm) => {
      const trial = block.get(arm);
      const value = trial === undefined ? null : metricOf(trial, metric);
      return value === null ? [] : [value];
    });
    return row.length === arms.length ? [row] : [];
  });
}
