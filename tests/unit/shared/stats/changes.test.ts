import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../../../shared/stats/changes.ts';
import { seededGenerator } from '../../../../shared/stats/seeded-generator.ts';
import { simulatedNetworks, simulateRun } from '../../../support/simulated-network.ts';

const options = { confidence: 0.95, resamples: 1000, seed: 1 };
/** Ten blocks of two arms, each 2 ms apart from the next; the medians are those of the middle. */
const steady = (h1: number, h3: number): number[][] =>
  Array.from({ length: 10 }, (_, block) => [h1 + 2 * block - 9, h3 + 2 * block - 9]);

it('tells how medians and gains differ', () => {
  // h1 takes twice as long; h3 saves 20 % of 1000 ms in the first comparison, 50 % of 2000 ms in the second.
  const { arms, pairs } = changesBetween(['h1', 'h3'], steady(1000, 800), steady(2000, 1000), options);
  expect(arms[0]).toMatchObject({ arm: 'h1', blocks: [10, 10], shown: true });
  expect(arms[0]?.change?.value).toBeCloseTo(100, 9);
  expect(arms[1]?.change?.value).toBeCloseTo(25, 9);
  expect(pairs).toHaveLength(1);
  expect(pairs[0]).toMatchObject({ baseline: 'h1', variant: 'h3', shown: true });
  expect(pairs[0]?.change?.value).toBeCloseTo(30, 9);
});

it('shows nothing where there is nothing', () => {
  const { arms, pairs } = changesBetween(['h1', 'h3'], steady(1000, 800), steady(1000, 800), options);
  expect([...arms, ...pairs].map(({ shown }) => shown)).toEqual([false, false, false]);
  expect(pairs[0]?.change?.value).toBe(0);
});

it('has no interval with few blocks, and no change without any', () => {
  const few = steady(1000, 800).slice(0, 3);
  const [of] = changesBetween(['h1', 'h3'], few, steady(1000, 800), options).pairs;
  expect(of).toMatchObject({ blocks: [3, 10], change: { low: null, high: null }, shown: false });
  const without = [[null, 800]];
  expect(changesBetween(['h1', 'h3'], without, steady(1000, 800), options).pairs[0]).toEqual({
    baseline: 'h1',
    variant: 'h3',
    blocks: [0, 10],
    change: null,
    shown: false,
  });
});

it('refuses what is no number', () => {
  expect(() => changesBetween(['h1'], [[NaN]], [[1]], options)).toThrow('NaN');
});

describe('over simulated comparisons', () => {
  it.each(simulatedNetworks)('covers a known change in at least 93 of 100: $name', (network) => {
    const random = seededGenerator(5);
    const comparisons = 200;
    const covered = { arm: 0, pair: 0 };
    let falsely = 0;
    for (let seed = 0; seed < comparisons; seed++) {
      // The second network is half as fast again; h3 saves 1 - 1/1.25 = 20 % on the first, 0 % on the second.
      const first = simulateRun(network, 9, [1.25, 1], random);
      const second = simulateRun(network, 12, [1.5, 1.5], random);
      const again = simulateRun(network, 12, [1.25, 1], random);
      const sampling = { confidence: 0.95, resamples: 400, seed };
      const { arms, pairs } = changesBetween(['h1', 'h3'], first, second, sampling);
      if (holds(arms[0]?.change, 20)) covered.arm++;
      if (holds(pairs[0]?.change, -20)) covered.pair++;
      if (changesBetween(['h1', 'h3'], first, again, sampling).pairs.some(({ shown }) => shown)) falsely++;
    }
    expect(covered.arm / comparisons).toBeGreaterThanOrEqual(0.93);
    expect(covered.pair / comparisons).toBeGreaterThanOrEqual(0.93);
    expect(falsely / comparisons).toBeLessThanOrEqual(0.05);
  });
});

function holds(
  change: { low: number | null; high: number | null } | null | undefined,
  truth: number,
): boolean {
  return (change?.low ?? Infinity) <= truth && truth <= (change?.high ?? -Infinity);
}
