import { describe, expect, it } from 'vitest';
import { bcaInterval } from '../../../../shared/stats/bca-interval.ts';
import { benjaminiHochberg } from '../../../../shared/stats/benjamini-hochberg.ts';
import { bootstrapLogGain } from '../../../../shared/stats/block-bootstrap.ts';
import { chiSquareCdf, chiSquareSurvival } from '../../../../shared/stats/chi-square-distribution.ts';
import { cliffsDelta } from '../../../../shared/stats/cliffs-delta.ts';
import { ecdf } from '../../../../shared/stats/ecdf.ts';
import { friedmanTest } from '../../../../shared/stats/friedman-test.ts';
import { hodgesLehmann } from '../../../../shared/stats/hodges-lehmann.ts';
import { holm } from '../../../../shared/stats/holm.ts';
import { mannWhitneyTest } from '../../../../shared/stats/mann-whitney-test.ts';
import { mean } from '../../../../shared/stats/mean.ts';
import { normalCdf, normalQuantile } from '../../../../shared/stats/normal-distribution.ts';
import { quantile } from '../../../../shared/stats/quantile.ts';
import { seededGenerator } from '../../../../shared/stats/seeded-generator.ts';
import { signedRankTest } from '../../../../shared/stats/signed-rank-test.ts';
import { studentTCentralQuantile } from '../../../../shared/stats/student-t-distribution.ts';
import { agree, scipy } from './scipy-fixture.ts';

describe('against scipy and numpy', () => {
  it.each(scipy.quantiles)('quantile $probability of $values.length values', (theirs) => {
    expect(quantile(theirs.values, theirs.probability)).toBeCloseTo(theirs.quantile, 9);
    expect(mean(theirs.values)).toBeCloseTo(theirs.mean, 9);
  });

  it.each(scipy.ecdfs)('steps of the ECDF of $values', ({ values, steps }) => {
    const ours = ecdf(values);
    expect(ours.map(({ value }) => value)).toEqual(steps.map(({ value }) => value));
    for (const [index, { share }] of ours.entries()) expect(share).toBeCloseTo(steps[index]?.share ?? NaN, 9);
  });

  it.each(scipy.normal.cdf)('normal distribution at $z', ({ z, p }) => {
    expect(normalCdf(z)).toSatisfy((ours: number) => agree(ours, p, 1e-12));
  });

  it.each(scipy.normal.quantile)('normal quantile of $p', ({ z, p }) => {
    expect(normalQuantile(p)).toSatisfy((ours: number) => Math.abs(ours - z) < 1e-9);
  });

  it.each(scipy.chiSquare)('chi-square with $df degrees of freedom at $x', ({ x, df, cdf, sf }) => {
    expect(chiSquareCdf(x, df)).toSatisfy((ours: number) => agree(ours, cdf, 1e-12));
    expect(chiSquareSurvival(x, df)).toSatisfy((ours: number) => agree(ours, sf, 1e-12));
  });

  it.each(scipy.studentT)("Student's t of $p with $df degrees of freedom", ({ p, df, t }) => {
    expect(studentTCentralQuantile(p, df)).toSatisfy((ours: number) => Math.abs(ours - t) <= 1e-9 * (1 + t));
  });

  it.each(scipy.signedRank)('signed-rank test of $differences.length differences, $method', (theirs) => {
    const ours = signedRankTest(theirs.differences);
    expect(ours?.method).toBe(theirs.method);
    expect(ours?.pValue).toSatisfy((p: number) => agree(p, theirs.p));
  });

  it.each(scipy.hodgesLehmann)('Hodges-Lehmann shift of $differences.length differences', (theirs) => {
    const ours = hodgesLehmann(theirs.differences, 0.95);
    expect(ours?.value).toBeCloseTo(theirs.value, 9);
    if (theirs.low === null || theirs.high === null) expect(ours).toMatchObject({ low: null, high: null });
    else {
      expect(ours?.low).toBeCloseTo(theirs.low, 9);
      expect(ours?.high).toBeCloseTo(theirs.high, 9);
    }
  });

  it.each(scipy.mannWhitney)('Mann-Whitney and Cliff of $first.length and $second.length', (theirs) => {
    const ours = mannWhitneyTest(theirs.first, theirs.second);
    expect(ours?.u).toBe(theirs.u);
    expect(ours?.pValue).toSatisfy((p: number) => agree(p, theirs.p));
    expect(cliffsDelta(theirs.first, theirs.second)).toBeCloseTo(theirs.cliffsDelta, 9);
  });

  it.each(scipy.friedman)('Friedman over $blocks.length blocks', (theirs) => {
    const ours = friedmanTest(theirs.blocks);
    expect(ours?.statistic).toBeCloseTo(theirs.statistic, 9);
    expect(ours?.pValue).toSatisfy((p: number) => agree(p, theirs.p));
  });

  it.each(scipy.adjusted)('Holm and Benjamini-Hochberg of $p.length', (theirs) => {
    for (const [index, p] of holm(theirs.p).entries()) expect(p).toBeCloseTo(theirs.holm[index] ?? NaN, 9);
    for (const [index, p] of benjaminiHochberg(theirs.p).entries()) {
      expect(p).toBeCloseTo(theirs.benjaminiHochberg[index] ?? NaN, 9);
    }
  });

  it.each(scipy.bca)(
    'BCa interval of a gain over $baseline.length blocks, within 4 Monte Carlo errors',
    (theirs) => {
      const times = {
        baseline: Float64Array.from(theirs.baseline),
        variant: Float64Array.from(theirs.variant),
      };
      const ours = bcaInterval(bootstrapLogGain(times, theirs.resamples, seededGenerator(1)), 0.025);
      for (const [end, value] of ours.entries()) {
        const error = theirs.error[end] ?? NaN;
        expect(Math.abs(value - (theirs.interval[end] ?? NaN))).toBeLessThanOrEqual(4 * error + 1e-9);
      }
    },
  );
});
