/**
 * Do the statistics hold their word? Over simulated comparisons with known effects: how often the 95 % interval
 * of the gain covers the truth (93 % at least), how often a comparison of an arm with itself calls a difference
 * (5 % at most, any pair of three arms), both again where the stopping rule ended the run, and the time they take.
 *
 * script/bench statistics [comparisons per line, 2000 unless told]
 */
import { readFile } from 'node:fs/promises';
import { planDesign } from '../../native-host/comparison/design.ts';
import type { Arm } from '../../shared/record/arm.ts';
import { metrics, type Statistics } from '../../shared/record/statistics.ts';
import { gainOf } from '../../shared/stats/gain.ts';
import { seededGenerator } from '../../shared/stats/seeded-generator.ts';
import { mayStop, planStopping } from '../../shared/stats/stopping-rule.ts';
import { summarise } from '../../shared/stats/summarise.ts';
import { makeDesign, makeRecord } from '../fixtures/record/make-record.ts';
import {
  simulatedNetworks,
  simulateRun,
  unevenNetworks,
  type SimulatedNetwork,
} from '../support/simulated-network.ts';
import { calledOn, compareTwins, drawTwins, recordedRuns } from '../support/same-arm.ts';
import { simulatedTrials } from '../support/simulated-trials.ts';

const comparisons = Number(process.argv[2] ?? 2000);
const arms: Arm[] = ['h1', 'h2', 'h3'];
const random = seededGenerator(1);
const notHeld: string[] = [];

/** Prints one count and whether it is where it must be; the binomial error of the count itself is allowed for. */
function report(name: string, count: number, bound: { atLeast: number } | { atMost: number }): void {
  const share = count / comparisons;
  const limit = 'atLeast' in bound ? bound.atLeast : bound.atMost;
  const error = 2 * Math.sqrt((limit * (1 - limit)) / comparisons);
  const held = 'atLeast' in bound ? share >= limit - error : share <= limit + error;
  if (!held) notHeld.push(name);
  const percent = (100 * share).toFixed(1).padStart(5);
  console.log(`  ${percent} %  (${String(count)} of ${comparisons})  ${name}${held ? '' : '  NOT HELD'}`);
}

function times(count: number, happens: () => boolean): number {
  return Array.from({ length: count }, happens).filter(Boolean).length;
}

function covers(network: SimulatedNetwork, blocks: number, effect: number): boolean {
  const rows = simulateRun(network, blocks, [effect, 1], random);
  const baseline = Float64Array.from(rows, ([time = NaN]) => time);
  const variant = Float64Array.from(rows, ([, time = NaN]) => time);
  const seed = Math.floor(random() * 2 ** 32);
  const gain = gainOf({ baseline, variant }, { confidence: 0.95, resamples: 1000, seed })?.gain;
  return (gain?.low ?? Infinity) <= effect && effect <= (gain?.high ?? -Infinity);
}

function statisticsOf(rows: number[][], confidence: number, resamples: number): Statistics {
  const design = planDesign({ arms, rounds: rows.length, seed: Math.floor(random() * 2 ** 32), gapMs: 0 });
  return summarise(simulatedTrials(arms, rows), design, { confidence, resamples });
}

function callsDifference({ pairs }: Statistics): boolean {
  return pairs.some(({ verdict }) => verdict.direction === 'faster' || verdict.direction === 'slower');
}

/** Runs until the rule allows an end, and says whether the verdict at that look is false. */
function callsWhenStopped(network: SimulatedNetwork, maxBlocks: number, precisionPercent: number): boolean {
  const plan = planStopping(precisionPercent, maxBlocks, 3);
  const rows = simulateRun(network, maxBlocks, [1, 1, 1], random);
  for (const { blocks, confidence } of plan.looks) {
    const statistics = statisticsOf(rows.slice(0, blocks), confidence, 1000);
    const reductions = statistics.pairs
      .filter(({ metric }) => metric === 'loadTimeMs')
      .map((pair) => pair.reductionPercent);
    if (callsDifference(statistics)) return true;
    if (mayStop(plan, blocks, reductions)) return false;
  }
  return false;
}

/** Runs until the rule allows an end, and says whether the interval then given holds the known gain. */
function coversWhenStopped(network: SimulatedNetwork, maxBlocks: number, precisionPercent: number): boolean {
  const plan = planStopping(precisionPercent, maxBlocks, 1);
  const effect = 1.1;
  const rows = simulateRun(network, maxBlocks, [effect, 1], random);
  for (const { blocks, confidence } of plan.looks) {
    const soFar = rows.slice(0, blocks);
    const times = {
      baseline: Float64Array.from(soFar, ([time = NaN]) => time),
      variant: Float64Array.from(soFar, ([, time = NaN]) => time),
    };
    const estimate = gainOf(times, { confidence, resamples: 1000, seed: Math.floor(random() * 2 ** 32) });
    const { low, high } = estimate?.gain ?? { low: null, high: null };
    if (mayStop(plan, blocks, [estimate?.reductionPercent ?? null])) {
      return (low ?? Infinity) <= effect && effect <= (high ?? -Infinity);
    }
  }
  return false;
}

for (const blocks of [6, 8, 10, 20, 50]) {
  console.log(`\n95 % interval of a gain of 1.10 covers it, ${blocks} blocks (at least 93 %):`);
  for (const network of [...simulatedNetworks, ...unevenNetworks]) {
    report(
      network.name,
      times(comparisons, () => covers(network, blocks, 1.1)),
      { atLeast: 0.93 },
    );
  }
}

for (const blocks of [7, 10, 20]) {
  console.log(`\nSame arm three times, ${blocks} blocks, any pair called different (at most 5 %):`);
  for (const network of simulatedNetworks) {
    const called = times(comparisons, () =>
      callsDifference(statisticsOf(simulateRun(network, blocks, [1, 1, 1], random), 0.95, 1000)),
    );
    report(network.name, called, { atMost: 0.05 });
  }
}

console.log('\nSame arm twice, 8 blocks drawn from real loads of the lab, called different (at most 5 %):');
const runs = recordedRuns(JSON.parse(await readFile('tests/fixtures/stats/same-arm.json', 'utf8')));
const callsByFigure = Array.from({ length: comparisons }, (_, seed) =>
  calledOn(compareTwins(drawTwins(runs, 8, random), seed, 1000)),
);
for (const metric of metrics) {
  report(metric, callsByFigure.filter((figures) => figures.includes(metric)).length, { atMost: 0.05 });
}
report('any of the four', callsByFigure.filter((figures) => figures.length > 0).length, { atMost: 0.05 });

console.log(
  '\nSame arm three times, stopping rule with 3 %, at most 40 blocks, called at any look (at most 5 %):',
);
for (const network of simulatedNetworks) {
  report(
    network.name,
    times(comparisons, () => callsWhenStopped(network, 40, 3)),
    { atMost: 0.05 },
  );
}

console.log(
  '\nInterval of a gain of 1.10 covers it where the stopping rule ended the run, with 3 %, at most 40 blocks (at least 93 %):',
);
for (const network of [...simulatedNetworks, ...unevenNetworks]) {
  report(
    network.name,
    times(comparisons, () => coversWhenStopped(network, 40, 3)),
    { atLeast: 0.93 },
  );
}

const { trials, design } = makeRecord({ design: makeDesign({ arms, rounds: 200 }) });
const started = performance.now();
summarise(trials, design);
const tookMs = performance.now() - started;
console.log(`\n3 arms, 200 blocks, 4 figures, 10,000 resamples: ${tookMs.toFixed(0)} ms (below 1000)`);
if (notHeld.length > 0 || tookMs > 1000) process.exitCode = 1;
