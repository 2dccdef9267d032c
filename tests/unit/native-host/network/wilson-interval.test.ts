import { expect, test } from 'vitest';
import { wilsonInterval } from '../../../../native-host/network/wilson-interval.ts';

// scipy.stats.binomtest(hits, trials).proportion_ci(method='wilson')
test.each([
  [0, 100, 0, 0.03699349820698568],
  [3, 100, 0.010254524024038925, 0.08451936429052762],
  [26, 3000, 0.005921269051362266, 0.012668746296058048],
  [50, 50, 0.9286524008666412, 1],
])('%i of %i lie in scipy’s interval', (hits, trials, low, high) => {
  const interval = wilsonInterval(hits, trials);
  expect(interval[0]).toBeCloseTo(low, 12);
  expect(interval[1]).toBeCloseTo(high, 12);
});

test('nothing tried says nothing', () => {
  expect(wilsonInterval(0, 0)).toEqual([0, 1]);
});
