/**
 * Gives the wire engine spoilt page loads, from frames to figures, and says how many inputs it took in what time.
 * Ends at the first exception, with the seed that brings it about again.
 *
 * script/bench fuzz [--inputs N] [--seed N]   (default 3,000,000 frames and files)
 */
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { fixtureFrames, fixtureKeys } from '../support/frames.ts';
import { fuzzWire } from '../support/fuzz-wire.ts';

const asked = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const inputs = asked('--inputs', 3_000_000);
const firstSeed = asked('--seed', 1);
/** Inputs under one seed: what has to be repeated to see a failure again. */
const batch = 20_000;

const sources = (['h1', 'h2', 'h3'] as const).map((arm) => ({
  frames: fixtureFrames(arm),
  keys: fixtureKeys(arm),
  file: readFileSync(`tests/fixtures/wire/page-load-${arm}.pcap`),
}));
const startMs = performance.now();
let taken = 0;
let spoilt = 0;
let largestHeapBytes = 0;
for (let seed = firstSeed; taken < inputs; seed += 1) {
  try {
    const outcome = fuzzWire(sources, batch, seed);
    taken += outcome.inputs;
    spoilt += outcome.spoilt;
  } catch (error) {
    console.error(`An exception with --seed ${seed} --inputs ${batch}:`);
    throw error;
  }
  largestHeapBytes = Math.max(largestHeapBytes, process.memoryUsage().rss);
}
const seconds = (performance.now() - startMs) / 1000;
console.log(
  `${taken} inputs, ${spoilt} of them spoilt, in ${seconds.toFixed(1)} s: no exception, every result a valid record`,
);
console.log(`largest resident memory: ${Math.round(largestHeapBytes / 1e6)} MB`);
