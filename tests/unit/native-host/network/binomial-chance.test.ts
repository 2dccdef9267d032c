import { expect, test } from 'vitest';
import { chanceOfAtMost } from '../../../../native-host/network/binomial-chance.ts';

// The sum of C(n, k) p^k (1 - p)^(n - k), by Python's fractions.Fraction and math.comb.
test.each([
  [0, 45, 0.01, 0.6361854860638713],
  [3, 57, 0.03, 0.9082967072955433],
  [26, 3000, 0.01, 0.2661502538327349],
  [1400, 3000, 0.5, 0.00013928198051961686],
])('at most %i of %i, each with chance %d', (hits, trials, ratio, chance) => {
  expect(chanceOfAtMost(hits, trials, ratio) / chance).toBeCloseTo(1, 9);
});

test('what must be, and what cannot', () => {
  expect(chanceOfAtMost(0, 10, 0)).toBe(1);
  expect(chanceOfAtMost(9, 10, 1)).toBe(0);
  expect(chanceOfAtMost(10, 10, 0.3)).toBe(1);
  expect(chanceOfAtMost(-1, 10, 0)).toBe(0);
});
