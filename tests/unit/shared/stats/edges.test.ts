import { describe, expect, it } from 'vitest';
import { TowlineError } from '../../../../shared/errors/towline-error.ts';
import { benjaminiHochberg } from '../../../../shared/stats/benjamini-hochberg.ts';
import { blocksNeeded } from '../../../../shared/stats/blocks-needed.ts';
import { cliffsDelta } from '../../../../shared/stats/cliffs-delta.ts';
import { ecdf } from '../../../../shared/stats/ecdf.ts';
import { friedmanTest } from '../../../../shared/stats/friedman-test.ts';
import { gainOf } from '../../../../shared/stats/gain.ts';
import { hodgesLehmann } from '../../../../shared/stats/hodges-lehmann.ts';
import { holm } from '../../../../shared/stats/holm.ts';
import { mannWhitneyTest } from '../../../../shared/stats/mann-whitney-test.ts';
import { mean } from '../../../../shared/stats/mean.ts';
import { median, quantile } from '../../../../shared/stats/quantile.ts';
import { signedRankTest } from '../../../../shared/stats/signed-rank-test.ts';

const bootstrap = { confidence: 0.95, resamples: 2000, seed: 1 };

function gain(baseline: number[], variant: number[]): ReturnType<typeof gainOf> {
  return gainOf({ baseline: Float64Array.from(baseline), variant: Float64Array.from(variant) }, bootstrap);
}

describe('statistics of nothing', () => {
  it('are null, never 0 or Infinity', () => {
    expect([mean([]), median([]), quantile([], 0.9), cliffsDelta([], [1]), cliffsDelta([1], [])]).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
    expect([signedRankTest([]), hodgesLehmann([], 0.95), mannWhitneyTest([], [1])]).toEqual([
      null,
      null,
      null,
    ]);
    expect([friedmanTest([]), friedmanTest([[1, 2]]), gain([], [])]).toEqual([null, null, null]);
    expect([ecdf([]), holm([]), benjaminiHochberg([])]).toEqual([[], [], []]);
  });
});

describe('NaN and Infinity', () => {
  it.each([
    ['mean', () => mean([1, NaN])],
    ['quantile', () => quantile([Infinity], 0.5)],
    ['ecdf', () => ecdf([NaN])],
    ['signed-rank test', () => signedRankTest([1, NaN])],
    ['Hodges-Lehmann', () => hodgesLehmann([NaN], 0.95)],
    ['Mann-Whitney', () => mannWhitneyTest([1], [NaN])],
    ['Friedman', () => friedmanTest([[1, 2, NaN]])],
    ['Cliff', () => cliffsDelta([NaN], [1])],
    ['Holm', () => holm([NaN])],
    ['Benjamini-Hochberg', () => benjaminiHochberg([NaN])],
    ['gain', () => gain([1, NaN], [1, 1])],
  ])('is refused by %s, with the place of the value', (_, statistic) => {
    expect(statistic).toThrow(TowlineError);
    expect(statistic).toThrow(/Value \d of \d is (NaN|Infinity)/);
  });
});

describe('equal samples', () => {
  const same = [100, 110, 120, 130, 140, 150, 160];

  it('have a gain of exactly 1, and an interval around it', () => {
    expect(gain(same, same)?.gain).toEqual({ value: 1, low: 1, high: 1 });
    expect(gain(same, same)?.reductionPercent).toEqual({ value: 0, low: 0, high: 0 });
  });

  it('give a p-value of 1, since there is no sign to draw', () => {
    expect(signedRankTest(same.map(() => 0))).toMatchObject({ n: 0, pValue: 1 });
    expect(mannWhitneyTest(same, same)?.pValue).toBe(1);
  });

  it('give no Friedman statistic when every block is tied throughout', () => {
    expect(
      friedmanTest([
        [1, 1, 1],
        [2, 2, 2],
        [3, 3, 3],
      ]),
    ).toBeNull();
  });
});

describe('blocksNeeded', () => {
  it('is where the smallest possible signed-rank p-value, times the pairs, comes below 5 %', () => {
    for (const [pairs, blocks] of [
      [1, 6],
      [3, 7],
      [6, 8],
    ] as const) {
      expect(blocksNeeded(0.95, pairs)).toBe(blocks);
      const allAlike = (n: number): number =>
        signedRankTest(Array.from({ length: n }, (_, i) => i + 1))?.pValue ?? 1;
      expect(allAlike(blocks) * pairs).toBeLessThanOrEqual(0.05);
      expect(allAlike(blocks - 1) * pairs).toBeGreaterThan(0.05);
    }
  });
});

describe('gainOf', () => {
  it('turns over when the arms are swapped', () => {
    const [slow, fast] = [
      [300, 330, 310, 290, 320, 305, 350],
      [200, 210, 190, 205, 220, 230, 199],
    ];
    const there = gain(slow, fast);
    const back = gain(fast, slow);
    expect(there?.gain.value).toBeCloseTo(1 / (back?.gain.value ?? NaN), 12);
    expect(there?.gain.low).toBeGreaterThan(1);
    expect(back?.gain.high).toBeLessThan(1);
  });

  it('has a value without interval with fewer than 6 blocks', () => {
    expect(gain([300, 310, 305, 320, 330], [200, 210, 205, 220, 230])?.gain).toMatchObject({
      low: null,
      high: null,
    });
  });

  it('is null when a time is not above 0, where a ratio says nothing', () => {
    expect(gain([300, 0], [200, 210])).toBeNull();
  });
});

describe('multiple tests', () => {
  // Benjamini and Hochberg (1995), section 4.1: 15 hypotheses on rt-PA in myocardial infarction.
  const published = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528,
    0.759, 1,
  ];

  it('finds the four that Benjamini and Hochberg reject at 5 %, and the three that Holm does', () => {
    expect(benjaminiHochberg(published).filter((p) => p <= 0.05)).toHaveLength(4);
    expect(holm(published).filter((p) => p <= 0.05)).toHaveLength(3);
  });
});

describe('ecdf', () => {
  it('has one step per distinct value and ends at 1', () => {
    expect(ecdf([3, 1, 3, 2])).toEqual([
      { value: 1, share: 0.25 },
      { value: 2, share: 0.5 },
      { value: 3, share: 1 },
    ]);
  });
});
