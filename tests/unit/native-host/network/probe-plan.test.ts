import { describe, expect, test } from 'vitest';
import {
  lossOf,
  lossTrain,
  median,
  rateOfArrivals,
  rateTrain,
} from '../../../../native-host/network/probe-plan.ts';

describe('a rate train', () => {
  test.each([64e3, 1e6, 8e6, 20e6])('keeps %d bit/s busy and is over soon', (rate) => {
    const { packets, packetBytes, packetsPerSecond } = rateTrain(rate, 0, 256);
    expect(packetsPerSecond * packetBytes * 8).toBeGreaterThan(rate * 1.2);
    // What it sends passes the bottleneck within two seconds, and what waits for it fits the queue.
    expect((packets * packetBytes * 8) / rate).toBeLessThan(2);
    expect(packets * (1 - rate / (packetsPerSecond * packetBytes * 8))).toBeLessThan(800);
  });

  test('is told from arrivals at the bottleneck’s pace, after what it let through at once', () => {
    const plan = rateTrain(1e6, 0, 256);
    const spacingMs = (plan.packetBytes * 8 * 1000) / 1e6;
    const atOnce = Array.from({ length: plan.head }, () => 0);
    const paced = Array.from({ length: 90 }, (_, index) => (index + 1) * spacingMs);
    expect(rateOfArrivals([...atOnce, ...paced], plan)).toBeCloseTo(1e6, 3);
  });

  test('that did not arrive has no rate', () => {
    const plan = rateTrain(1e6, 0, 256);
    expect(rateOfArrivals([], plan)).toBeNull();
    expect(rateOfArrivals([1, 2], plan)).toBeNull();
  });
});

test('a loss train uses less than half of the rate, so that the queue loses nothing', () => {
  for (const rate of [64e3, 1e6, 20e6]) {
    const { packetBytes, packetsPerSecond } = lossTrain(rate);
    expect(packetBytes * 8 * packetsPerSecond).toBeLessThan(rate / 2);
  }
  expect(lossTrain(null).packets).toBeGreaterThan(1000);
});

test('loss is counted from what was sent', () => {
  expect(lossOf(1000, 990)).toMatchObject({ sent: 1000, lost: 10, ratio: 0.01 });
  // A duplicate does not make a loss negative.
  expect(lossOf(1000, 1001)).toMatchObject({ lost: 0, ratio: 0 });
});

test.each([
  [[], null],
  [[3], 3],
  [[5, 1, 3], 3],
  [[4, 1, 3, 2], 2.5],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});
