/**
 * What a network path costs to make and to take down, on a host of its own: the capsule and the way out, once a
 * run; a trial's network, once a trial, made while the trial before falls quiet, so that no trial waits for it.
 *
 * script/bench path [TIMES]   (default 20)
 */
import { median } from '../../shared/stats/quantile.ts';
import type { PathCost } from '../integration/network/programs/path-cost.ts';
import { buildPrograms, runOnFakeHost } from '../support/capsule-program.ts';

const [times = '20'] = process.argv.slice(2);
const programs = await buildPrograms(['path-cost', 'path-timer']);
const cost = (await runOnFakeHost(programs['path-cost'], [programs['path-timer'], times])) as PathCost;

/** Goals of the whole path, capsule to trial and back, ms. */
const goalsMs = { root: 150, rootless: 300 } as const;

for (const kind of ['root', 'rootless'] as const) {
  const { capsuleMs, wayMadeMs, wayTakenDownMs, trialMadeMs, trialTakenDownMs } = cost[kind];
  const wholeMs = capsuleMs.map((capsule, at) =>
    [wayMadeMs, wayTakenDownMs, trialMadeMs, trialTakenDownMs].reduce(
      (sum, each) => sum + (each[at] ?? NaN),
      capsule,
    ),
  );
  console.log(`${kind}, median of ${times}, ms:`);
  console.log(`  capsule, made and taken down   ${shown(capsuleMs)}`);
  console.log(`  way out, made                  ${shown(wayMadeMs)}`);
  console.log(`  way out, taken down            ${shown(wayTakenDownMs)}`);
  console.log(`  trial's network, made          ${shown(trialMadeMs)}`);
  console.log(`  trial's network, taken down    ${shown(trialTakenDownMs)}`);
  console.log(`  all together                   ${shown(wholeMs)}  (goal: at most ${goalsMs[kind]})`);
}

function shown(values: readonly number[]): string {
  return (median(values) ?? NaN).toFixed(0).padStart(5);
}
