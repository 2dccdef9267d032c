import { describe, expect, it } from 'vitest';
import {
  seededGenerator,
  splitMix64,
  xoshiro128StarStar,
} from '../../../../shared/stats/seeded-generator.ts';
import { shuffled } from '../../../../shared/stats/shuffle.ts';
import { scipy } from './scipy-fixture.ts';

describe('seededGenerator', () => {
  it('draws what the published xoshiro128** draws from the same state', () => {
    const next = xoshiro128StarStar(scipy.generators.state);
    expect(scipy.generators.xoshiro128StarStar.map(() => next())).toEqual(
      scipy.generators.xoshiro128StarStar,
    );
  });

  it('is seeded by the published SplitMix64 (values of its author for seed 1234567)', () => {
    const next = splitMix64(1234567n);
    expect([next(), next(), next(), next(), next()]).toEqual([
      6457827717110365317n,
      3203168211198807973n,
      9817491932198370423n,
      4593380528125082431n,
      16408922859458223821n,
    ]);
  });

  it('repeats itself for the same seed and not for another', () => {
    const draw = (seed: number): number[] => Array.from({ length: 5 }, seededGenerator(seed));
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });
});

describe('shuffled', () => {
  it('gives every order of three items equally often (chi-square below its 99.9 % point, 20.5)', () => {
    const random = seededGenerator(11);
    const seen = new Map<string, number>();
    for (let i = 0; i < 6000; i++) {
      const order = shuffled(['a', 'b', 'c'], random).join('');
      seen.set(order, (seen.get(order) ?? 0) + 1);
    }
    expect(seen.size).toBe(6);
    const chiSquare = [...seen.values()].reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    expect(chiSquare).toBeLessThan(20.5);
  });
});
