import { readFileSync } from 'node:fs';
import * as v from 'valibot';

const numbers = v.array(v.number());

/** What tests/fixtures/stats/make.py wrote. */
const FixtureSchema = v.object({
  quantiles: v.array(
    v.object({ values: numbers, probability: v.number(), quantile: v.number(), mean: v.number() }),
  ),
  ecdfs: v.array(
    v.object({ values: numbers, steps: v.array(v.object({ value: v.number(), share: v.number() })) }),
  ),
  normal: v.object({
    cdf: v.array(v.object({ z: v.number(), p: v.number() })),
    quantile: v.array(v.object({ z: v.number(), p: v.number() })),
  }),
  chiSquare: v.array(v.object({ x: v.number(), df: v.number(), cdf: v.number(), sf: v.number() })),
  studentT: v.array(v.object({ p: v.number(), df: v.number(), t: v.number() })),
  signedRank: v.array(v.object({ differences: numbers, p: v.number(), method: v.string() })),
  hodgesLehmann: v.array(
    v.object({
      differences: numbers,
      value: v.number(),
      low: v.nullable(v.number()),
      high: v.nullable(v.number()),
    }),
  ),
  mannWhitney: v.array(
    v.object({ first: numbers, second: numbers, u: v.number(), p: v.number(), cliffsDelta: v.number() }),
  ),
  friedman: v.array(v.object({ blocks: v.array(numbers), statistic: v.number(), p: v.number() })),
  adjusted: v.array(v.object({ p: numbers, holm: numbers, benjaminiHochberg: numbers })),
  bca: v.array(
    v.object({
      baseline: numbers,
      variant: numbers,
      resamples: v.number(),
      interval: v.tuple([v.number(), v.number()]),
      error: v.tuple([v.number(), v.number()]),
    }),
  ),
  generators: v.object({
    state: v.tuple([v.number(), v.number(), v.number(), v.number()]),
    xoshiro128StarStar: numbers,
  }),
});

/** What was kept, or what was asked of the scipy of this very machine: see script/test. */
const file = process.env.SCIPY_FIXTURE ?? new URL('../../../fixtures/stats/scipy.json', import.meta.url);

export const scipy = v.parse(FixtureSchema, JSON.parse(readFileSync(file, 'utf8')));

/** True when two numbers agree to 1e-9 of the larger; tails as small as 1e-300 count too. */
export function agree(ours: number, theirs: number, tolerance = 1e-9): boolean {
  return Math.abs(ours - theirs) <= tolerance * Math.max(Math.abs(ours), Math.abs(theirs));
}
