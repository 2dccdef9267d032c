import type { Arm } from '../../shared/record/arm.ts';
import type { ComparisonRecord } from '../../shared/record/record.ts';
import type { Metric } from '../../shared/record/statistics.ts';
import type { Trial } from '../../shared/record/trial.ts';
import { countedBlocks, metricOf } from '../../shared/stats/counted-blocks.ts';

/** The trials of an arm that the statistics are made of. */
export function countedTrials(record: ComparisonRecord, arm: Arm): Trial[] {
  return countedBlocks(record.trials).flatMap((block) => block.get(arm) ?? []);
}

/** One metric of an arm's counted trials, ms; those that do not know it are left out. */
export function countedValues(record: ComparisonRecord, arm: Arm, metric: Metric): number[] {
  return countedTrials(record, arm)
    .map((trial) => metricOf(trial, metric))
    .filter((value) => value !== null);
}

/** The metric people should see first: from the packets where there are any, else the browser's. */
export function leadingMetric(pairs: readonly { metric: Metric; reductionPercent: unknown }[]): Metric {
  const known = pairs.some((pair) => pair.metric === 'timeOnWireMs' && pair.reductionPercent !== null);
  return known ? 'timeOnWireMs' : 'loadTimeMs';
}
