import type { Random } from '../../shared/stats/seeded-generator.ts';

/**
 * Times of several arms over one run, by a model with known medians. Nothing here is measured: it exists to ask
 * whether intervals hold what they promise.
 */
export interface SimulatedNetwork {
  name: string;
  /** What a block multiplies all its trials by; `at` runs from 0 (first block) to 1 (last). */
  block: (at: number, random: Random) => number;
  /** What a trial of the first, second, ... arm multiplies its own time by; its median is the same in every arm. */
  trial: (random: Random, arm: number) => number;
}

const typicalMs = 2000;

/** Networks that treat every arm alike, so that arms of the same effect are the same arm. */
export const simulatedNetworks: readonly SimulatedNetwork[] = [
  { name: 'calm: lognormal, 5 %', block: () => 1, trial: lognormal(0.05) },
  { name: 'heavy tails: lognormal, 50 %', block: () => 1, trial: lognormal(0.5) },
  { name: 'very heavy tails: lognormal, 100 %', block: () => 1, trial: lognormal(1) },
  { name: 'spikes: one load in seven takes 1 to 4 times as long', block: () => 1, trial: spiky },
  { name: 'drift: times double half-way through', block: (at) => (at < 0.5 ? 1 : 2), trial: lognormal(0.1) },
  { name: 'drift: times double steadily', block: (at) => 1 + at, trial: lognormal(0.1) },
  {
    name: 'drift and heavy tails: doubling steadily, lognormal, 50 %',
    block: (at) => 1 + at,
    trial: lognormal(0.5),
  },
  {
    name: 'good and bad hours: half of the blocks twice as long',
    block: (_, random) => (random() < 0.5 ? 1 : 2),
    trial: lognormal(0.05),
  },
  {
    name: 'busy line: blocks lognormal, 40 %; trials, 10 %',
    block: (_, random) => lognormal(0.4)(random),
    trial: lognormal(0.1),
  },
];

/** Networks on which the arms differ in more than their medians. */
export const unevenNetworks: readonly SimulatedNetwork[] = [
  {
    name: 'uneven: lognormal, first arm 50 %, second 5 %; times double steadily',
    block: (at) => 1 + at,
    trial: (random, arm) => lognormal(arm === 0 ? 0.5 : 0.05)(random),
  },
  {
    name: 'uneven: first arm with an exponential tail, second lognormal, 5 %',
    block: () => 1,
    trial: (random, arm) => (arm === 0 ? exponential(0.3) : lognormal(0.05))(random),
  },
];

/**
 * One run. An arm with effect 1.1 has a median 1.1 times as long as one with effect 1, whatever the network.
 * @returns ms, one row per block, one value per effect
 */
export function simulateRun(
  network: SimulatedNetwork,
  blocks: number,
  effects: readonly number[],
  random: Random,
): number[][] {
  return Array.from({ length: blocks }, (_, index) => {
    const shared = typicalMs * network.block((index + 0.5) / blocks, random);
    return effects.map((effect, arm) => effect * shared * network.trial(random, arm));
  });
}

function lognormal(sigma: number): (random: Random) => number {
  return (random) => Math.exp(sigma * gaussian(random));
}

/** A sharp lower end and a tail to the right; the median is 1. */
function exponential(scale: number): (random: Random) => number {
  return (random) => 1 + scale * (-Math.log(random()) - Math.LN2);
}

function spiky(random: Random): number {
  return (random() < 1 / 7 ? 1 + 3 * random() : 1) * lognormal(0.03)(random);
}

/** Box and Muller (1958). */
function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
}
