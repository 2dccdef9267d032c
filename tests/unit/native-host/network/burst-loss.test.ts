import { expect, test } from 'vitest';
import {
  lossVarianceFactor,
  meanBurstPackets,
  meanLossRatio,
} from '../../../../native-host/network/burst-loss.ts';
import type { BurstLoss } from '../../../../shared/record/path.ts';

function model(p: number, r: number, inBad = 1, inGood = 0): BurstLoss {
  return { toBadRatio: p, toGoodRatio: r, lossInBadRatio: inBad, lossInGoodRatio: inGood };
}

// Hasslinger and Hohlfeld 2008, table 1 and equation 2: p / (p + r) of the packets are in the bad state.
test('mean loss', () => {
  expect(meanLossRatio(model(0.01, 0.25))).toBeCloseTo(0.01 / 0.26, 12);
  expect(meanLossRatio(model(0.1, 0.3, 0.5, 0.02))).toBeCloseTo(0.25 * 0.5 + 0.75 * 0.02, 12);
  expect(meanLossRatio(model(0, 0.5))).toBe(0);
  expect(meanLossRatio(model(0, 0))).toBe(0);
});

test('mean burst of the simple model', () => {
  expect(meanBurstPackets(model(0.01, 0.25))).toBe(4);
  expect(meanBurstPackets(model(0.01, 0.25, 0.5))).toBeNull();
  expect(meanBurstPackets(model(0.01, 0.25, 1, 0.01))).toBeNull();
});

// p + r = 1 is a chain without memory: each packet is lost by itself, and the binomial interval is right.
test('packets without memory are independent', () => {
  expect(lossVarianceFactor(model(0.02, 0.98))).toBeCloseTo(1, 12);
  expect(lossVarianceFactor(model(0, 0.5))).toBe(1);
});

// For the simple model the sum is (1 + m) / (1 - m) with m = 1 - p - r: the variance of the mean of a two-state chain.
test('bursts widen the interval', () => {
  expect(lossVarianceFactor(model(0.01, 0.25))).toBeCloseTo(1.74 / 0.26, 9);
});

test('the formula is what simulated chains do', () => {
  const chain = model(0.05, 0.3, 0.8, 0.01);
  const [rounds, packets] = [400, 2000];
  let seed = 1;
  // Park and Miller's minimal standard generator (CACM 31, 1988): 2147483646 values, from a fixed seed.
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const means = Array.from({ length: rounds }, () => {
    let bad = random() < 0.05 / 0.35;
    let lost = 0;
    for (let packet = 0; packet < packets; packet++) {
      if (random() < (bad ? chain.lossInBadRatio : chain.lossInGoodRatio)) lost++;
      if (random() < (bad ? chain.toGoodRatio : chain.toBadRatio)) bad = !bad;
    }
    return lost / packets;
  });
  const mean = means.reduce((sum, value) => sum + value, 0) / rounds;
  const variance = means.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (rounds - 1);
  const loss = meanLossRatio(chain);
  expect(mean / loss).toBeCloseTo(1, 1);
  // A variance of 400 values has a relative standard error of 7 %.
  const ratio = variance / ((loss * (1 - loss)) / packets) / lossVarianceFactor(chain);
  expect(ratio).toBeGreaterThan(0.75);
  expect(ratio).toBeLessThan(1.25);
});
