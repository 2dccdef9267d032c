import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Arm } from '../../../../shared/record/arm.ts';
import {
  StatisticsSchema,
  type Metric,
  type Pair,
  type Statistics,
} from '../../../../shared/record/statistics.ts';
import type { Trial } from '../../../../shared/record/trial.ts';
import { summarise } from '../../../../shared/stats/summarise.ts';
import { makeDesign, makeRecord } from '../../../fixtures/record/make-record.ts';
import { simulatedTrials } from '../../../support/simulated-trials.ts';

/** Load times whose medians are 200 (h1) and 150 (h2) ms in every block, more or less. */
const rows = [-3, -2, -1, 0, 1, 2, 3].map((by) => [200 + by, 150 + 2 * by]);

function summariseRows(arms: Arm[], times: number[][]): Statistics {
  return summarise(simulatedTrials(arms, times), makeDesign({ arms }));
}

function pairOf(statistics: Statistics, baseline: Arm, variant: Arm, metric: Metric = 'loadTimeMs'): Pair {
  const pair = statistics.pairs.find(
    (candidate) =>
      candidate.metric === metric && candidate.baseline === baseline && candidate.variant === variant,
  );
  if (!pair) throw new Error(`no pair ${variant} over ${baseline}`);
  return pair;
}

describe('summarise', () => {
  it('gives each arm its counts and its quantiles', () => {
    const [h1] = summariseRows(['h1', 'h2'], rows).arms;
    expect(h1).toMatchObject({ arm: 'h1', trials: 7, valid: 7 });
    expect(h1?.metrics.loadTimeMs).toMatchObject({ n: 7, median: 200, mean: 200 });
    expect(h1?.metrics.loadTimeMs?.p10).toBeCloseTo(197.6, 9);
    expect(h1?.metrics.timeOnWireMs).toBeNull();
  });

  it('gives a pair the gain of White and the reduction of Elkhatib', () => {
    const pair = pairOf(summariseRows(['h1', 'h2'], rows), 'h1', 'h2');
    expect(pair.gain?.value).toBeCloseTo(200 / 150, 9);
    expect(pair.reductionPercent?.value).toBeCloseTo(25, 9);
    expect(pair.shiftMs?.value).toBe(-50);
    expect(pair).toMatchObject({ blocks: 7, pValue: 2 / 2 ** 7, pAdjusted: 2 / 2 ** 7, cliffsDelta: -1 });
    expect(pair.verdict.direction).toBe('faster');
  });

  it('takes the earlier of h1, h2, h3, auto as baseline, whatever the order of the arms', () => {
    const { pairs } = summariseRows(['auto', 'h3', 'h1'], [[1, 2, 3]]);
    const named = pairs
      .filter(({ metric }) => metric === 'loadTimeMs')
      .map(({ baseline, variant }) => `${variant} over ${baseline}`);
    expect(named).toEqual(['h3 over h1', 'auto over h1', 'auto over h3']);
  });

  it('needs 6 blocks for one pair and 7 for three, and says so', () => {
    const six = rows.slice(0, 6);
    expect(pairOf(summariseRows(['h1', 'h2'], six.slice(1)), 'h1', 'h2')).toMatchObject({
      pValue: null,
      gain: { low: null, high: null },
      verdict: { direction: 'not-enough-data', words: 'not enough data (5 blocks; 6 are needed)' },
    });
    expect(pairOf(summariseRows(['h1', 'h2'], six), 'h1', 'h2').verdict.direction).toBe('faster');
    const threeArms = six.map(([h1 = 0, h2 = 0]) => [h1, h2, 100]);
    expect(pairOf(summariseRows(['h1', 'h2', 'h3'], threeArms), 'h1', 'h2').verdict.words).toBe(
      'not enough data (6 blocks; 7 are needed)',
    );
  });

  it('leaves invalid and warm-up trials out', () => {
    const trials = simulatedTrials(['h1', 'h2'], [...rows, [9999, 1], [9999, 1]]);
    const spoiled = trials.map((trial): Trial => {
      if (trial.block === 7) return { ...trial, warmup: true };
      return trial.block === 8
        ? { ...trial, verdict: { ...trial.verdict, valid: false, reasons: ['x'] } }
        : trial;
    });
    const statistics = summarise(spoiled, makeDesign({ arms: ['h1', 'h2'] }));
    expect(statistics.arms[0]).toMatchObject({ trials: 8, valid: 7 });
    expect(statistics.arms[0]?.metrics.loadTimeMs).toMatchObject({ n: 7, median: 200 });
    expect(pairOf(statistics, 'h1', 'h2').blocks).toBe(7);
  });

  it('counts a repeated block once, by the attempt in which all arms were valid', () => {
    const record = makeRecord();
    const repeated = record.trials.filter(({ attempt }) => attempt === 1);
    expect(repeated).toHaveLength(3);
    const h1 = record.statistics.arms.find(({ arm }) => arm === 'h1');
    expect(h1).toMatchObject({ trials: 11, valid: 11, metrics: { timeOnWireMs: { n: 10 } } });
    const first = record.trials.filter(({ block, attempt }) => block !== 4 || attempt === 1);
    expect(summarise(first, record.design).pairs).toEqual(record.statistics.pairs);
  });

  it('pairs the arms that remain when one has no valid trial at all', () => {
    const trials = simulatedTrials(
      ['h1', 'h2', 'h3'],
      rows.map(([h1 = 0, h2 = 0]) => [h1, h2, 100]),
    ).map((trial): Trial =>
      trial.arm === 'h3' ? { ...trial, verdict: { ...trial.verdict, valid: false, reasons: ['x'] } } : trial,
    );
    const statistics = summarise(trials, makeDesign());
    expect(pairOf(statistics, 'h1', 'h2').verdict.direction).toBe('faster');
    expect(pairOf(statistics, 'h1', 'h3')).toMatchObject({
      blocks: 0,
      gain: null,
      shiftMs: null,
      pValue: null,
    });
    expect(statistics.friedman.loadTimeMs).toBeNull();
  });

  it('shows no difference between equal arms', () => {
    const same = summariseRows(
      ['h1', 'h2'],
      rows.map(([time = 0]) => [time, time]),
    );
    expect(pairOf(same, 'h1', 'h2').verdict.words).toBe('no difference shown (0 to 0 %)');
  });

  it('is the same every time, and fits its schema, also for no trials', () => {
    const record = makeRecord();
    expect(summarise(record.trials, record.design)).toEqual(record.statistics);
    expect(v.is(StatisticsSchema, record.statistics)).toBe(true);
    expect(v.is(StatisticsSchema, summarise([], record.design))).toBe(true);
  });
});
