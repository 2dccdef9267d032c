import * as v from 'valibot';
import type { Metric, Statistics } from '../../shared/record/statistics.ts';
import { metrics } from '../../shared/record/statistics.ts';
import type { Trial } from '../../shared/record/trial.ts';
import type { Figure } from '../../shared/record/wire.ts';
import { metricOf } from '../../shared/stats/counted-blocks.ts';
import { summarise } from '../../shared/stats/summarise.ts';
import { seededGenerator, type Random } from '../../shared/stats/seeded-generator.ts';
import { makeDesign } from '../fixtures/record/make-record.ts';
import { makeTrial } from '../fixtures/record/make-trial.ts';

/** Two loads of the same arm, one after the other: a block. In a comparison the first is called h1, the second h2. */
export type Twins = [Trial, Trial];

/** A coin for each block says which load gets which name. */
export function namedByCoin(blocks: readonly Twins[], random: Random): Twins[] {
  return blocks.map(([a, b]) => (random() < 0.5 ? [a, b] : [b, a]));
}

/** Every way in which the coins could have fallen: 2 to the power of the number of blocks. */
export function everyNaming(blocks: readonly Twins[]): Twins[][] {
  return Array.from({ length: 2 ** blocks.length }, (_, naming) =>
    blocks.map(([a, b], block) => ((naming >> block) & 1 ? [b, a] : [a, b])),
  );
}

/** A comparison of an arm with itself: any difference between its two names is false. */
export function compareTwins(blocks: readonly Twins[], seed: number, resamples: number): Statistics {
  const trials = blocks.flatMap((twins, block) =>
    twins.map((trial, place): Trial => {
      const arm = place === 0 ? 'h1' : 'h2';
      return { ...trial, index: 2 * block + place, block, attempt: 0, arm, warmup: false };
    }),
  );
  return summarise(trials, makeDesign({ arms: ['h1', 'h2'], rounds: blocks.length, seed }), { resamples });
}

/** The figures on which a difference between the two was called. */
export function calledOn({ pairs }: Statistics): Metric[] {
  return pairs
    .filter(({ verdict }) => verdict.direction === 'faster' || verdict.direction === 'slower')
    .map(({ metric }) => metric);
}

/** Trials of a run with one arm, two by two as they followed each other; a last one alone is left out. */
export function twoByTwo(trials: readonly Trial[]): Twins[] {
  return trials.flatMap((first, index) => {
    const second = trials[index + 1];
    return index % 2 === 0 && second ? [[first, second]] : [];
  });
}

/** The trials that a run with one arm counts, where every figure is known. */
export function usable(trials: readonly Trial[]): Trial[] {
  return trials.filter(
    (trial) =>
      trial.verdict.valid && !trial.warmup && metrics.every((metric) => metricOf(trial, metric) !== null),
  );
}

/** Figures of loads of one arm, run by run in the order in which they were measured: `script/bench aa` writes them. */
const RecordedSchema = v.object({
  metrics: v.tuple([
    v.literal('timeOnWireMs'),
    v.literal('setupMs'),
    v.literal('wireTotalMs'),
    v.literal('loadTimeMs'),
  ]),
  runs: v.array(v.object({ arm: v.string(), timesMs: v.array(v.array(v.number())) })),
});

/** The recorded loads as trials, run by run: nothing but their figures is theirs. */
export function recordedRuns(json: unknown): Trial[][] {
  const place = { index: 0, block: 0, attempt: 0, arm: 'h1', warmup: false } as const;
  const template = makeTrial(place, seededGenerator(1));
  const figure = (value: number): Figure => ({ value, errorBoundMs: 0, missing: null });
  return v.parse(RecordedSchema, json).runs.map(({ timesMs }) =>
    timesMs.map(([onWire = NaN, setup = NaN, total = NaN, load = NaN]) => ({
      ...template,
      loadTimeMs: load,
      wire: template.wire && {
        ...template.wire,
        timeOnWireMs: figure(onWire),
        setupMs: figure(setup),
        wireTotalMs: figure(total),
      },
    })),
  );
}

/** So many blocks of two loads that followed each other, drawn with replacement from one run, a coin naming the two. */
export function drawTwins(runs: readonly Trial[][], blocks: number, random: Random): Twins[] {
  const run = runs[Math.floor(random() * runs.length)] ?? [];
  const neighbours = run.slice(1).map((second, index): Twins => [run[index] ?? second, second]);
  const drawn = Array.from({ length: blocks }, () => neighbours[Math.floor(random() * neighbours.length)]);
  return namedByCoin(
    drawn.filter((twins) => twins !== undefined),
    random,
  );
}
