/**
 * What a cold trial costs besides the page itself: wall-clock seconds per trial, less the page's own load time, on
 * the unshaped lab without a gap; where it goes; and, where browsertime can be installed, the same for it.
 *
 * script/bench trial [--rounds N]   (default 20 blocks of one h2 trial each)
 */
import { performance } from 'node:perf_hooks';
import { compareAndRead } from '../support/towline.ts';
import { measureBrowsertime } from '../support/browsertime.ts';
import { median as medianOrNull } from '../../shared/stats/quantile.ts';
import type { Cost, Trial } from '../../shared/record/trial.ts';

const [, , option, value] = process.argv;
const rounds = option === '--rounds' ? Number(value) : 20;

const startMs = performance.now();
const { record } = await compareAndRead([
  ...['lab:youtube', '--arms', 'h2', '--rounds', String(rounds), '--gap', '0', '--seed', '1'],
]);
const wholeSeconds = (performance.now() - startMs) / 1000;

/** From one trial's start to the next one's: everything that a trial costs, whoever spends it. */
const spansMs = record.trials.slice(1).map((trial, at) => startOf(trial) - startOf(record.trials[at]));
const ownMs = spansMs.map((span, at) => span - (record.trials[at]?.loadTimeMs ?? 0));

console.log(
  `lab:youtube over h2, unshaped, gap 0: ${record.trials.length} cold trials in ${wholeSeconds.toFixed(1)} s`,
);
console.log(
  `seconds per trial less the page's load time, median: ${(median(ownMs) / 1000).toFixed(3)} (goal: at most 1.2)`,
);
console.log("where a trial's time goes, median ms:");
const parts: readonly (readonly [part: keyof Cost, meaning: string])[] = [
  ['pathMs', 'namespace (made while the trial before falls quiet)'],
  ['workerMs', 'waiting for namespace and worker'],
  ['browserStartMs', 'browser and capture start'],
  ['loadMs', 'page load'],
  ['quietMs', 'waiting until the page is quiet (500 ms by definition)'],
  ['analysisMs', 'packets, keys and requests into figures'],
  ['closeMs', 'ending worker and namespace'],
];
for (const [part, meaning] of parts) {
  const values = record.trials.flatMap(({ cost }) => (cost ? [cost[part]] : []));
  console.log(`  ${part.padEnd(15)} ${median(values).toFixed(0).padStart(6)}  ${meaning}`);
}
console.log(await measureBrowsertime(median(ownMs) / 1000));

/** NaN prints as what it is where there is nothing to take a median of. */
function median(values: readonly number[]): number {
  return medianOrNull(values) ?? NaN;
}

function startOf(trial: Trial | undefined): number {
  return Date.parse(trial?.startedAt ?? '');
}
