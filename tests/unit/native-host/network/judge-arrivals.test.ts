import { describe, expect, test } from 'vitest';
import {
  lossOf,
  lossOfTrain,
  median,
  rateOfReceived,
  reorderOf,
} from '../../../../native-host/network/judge-arrivals.ts';
import { rateTrain } from '../../../../native-host/network/probe-plan.ts';

/** Datagrams by number, a millisecond apart. */
const arrivals = (...numbers: number[]) => numbers.map((number, atMs) => ({ number, atMs }));

describe('rate', () => {
  test('of a counter: the pace while the train was sent, not of what trickles in later', () => {
    const plan = { packets: 101, head: 1, packetBytes: 1250, packetsPerSecond: 125 };
    // 100 packets a second for 1.25 s are 1 Mbit/s; then one more, a second later.
    const busy = Array.from({ length: 126 }, (_, packet) => ({
      atMs: packet * 10,
      bytes: 5000 + packet * 1250,
    }));
    expect(rateOfReceived([...busy, { atMs: 2250, bytes: 163_750 }], plan)).toBeCloseTo(1e6, 3);
  });

  test('of a counter: the pace after what the bottleneck let through at once, and with what strayed in', () => {
    const plan = rateTrain(64e3, 0.03, 256, 'udp');
    const msPerByte = (8 * 1000) / 64e3;
    // The head at once, then the pace: every twentieth packet is a stray of 60 bytes.
    const sizes = Array.from({ length: 85 }, (_, number) => (number % 20 === 7 ? 60 : plan.packetBytes));
    const received = [
      { atMs: 0, bytes: 500 },
      { atMs: 245, bytes: 500 + plan.head * plan.packetBytes },
    ];
    for (const size of sizes) {
      const { atMs, bytes } = received.at(-1) ?? { atMs: 0, bytes: 0 };
      received.push({ atMs: atMs + size * msPerByte, bytes: bytes + size });
    }
    expect(rateOfReceived(received, plan)).toBeCloseTo(64e3, 3);
  });

  test('is null of too little', () => {
    const plan = rateTrain(1e6, 0, 256, 'udp');
    expect(rateOfReceived([], plan)).toBeNull();
    expect(rateOfReceived([{ atMs: 0, bytes: 1 }], plan)).toBeNull();
  });
});

describe('loss', () => {
  test('is counted from what was sent', () => {
    expect(lossOf(1000, 990)).toMatchObject({ sent: 1000, lost: 10, ratio: 0.01 });
    // A duplicate does not make a loss negative.
    expect(lossOf(1000, 1001)).toMatchObject({ lost: 0, ratio: 0 });
  });

  test('of none, or of nothing sent, can be no loss at all', () => {
    for (const { interval } of [lossOf(777, 777), lossOf(1563, 1563), lossOf(0, 0)])
      expect(interval[0]).toBe(0);
  });

  test('has a wider interval where packets depend on each other', () => {
    const [independent, dependent] = [lossOf(1000, 980), lossOf(1000, 980, 4)];
    expect(dependent.ratio).toBe(independent.ratio);
    const width = ([low, high]: [number, number]) => high - low;
    // Four times the variance is twice the width, nearly: Wilson's interval is not quite symmetric.
    expect(width(dependent.interval) / width(independent.interval)).toBeGreaterThan(1.9);
  });

  test('in runs', () => {
    const bursts = (sent: number, ...numbers: number[]) => lossOfTrain(sent, arrivals(...numbers), 1);
    expect(bursts(6, 0, 1, 2, 3, 4, 5)).toMatchObject({ lost: 0, bursts: 0 });
    expect(bursts(8, 1, 2, 5, 6)).toMatchObject({ lost: 4, bursts: 3 });
    expect(bursts(3)).toMatchObject({ lost: 3, bursts: 1 });
    // Once is enough, and order does not matter.
    expect(bursts(3, 2, 0, 0, 1)).toMatchObject({ lost: 0, bursts: 0 });
  });
});

// RFC 4737, section 3.3: a packet is reordered when its number is smaller than the next expected one.
test('what comes after a later one is reordered', () => {
  expect(reorderOf(arrivals(0, 1, 3, 2, 4), 1)).toMatchObject({ arrived: 5, late: 1, ratio: 0.2 });
  expect(reorderOf(arrivals(0, 2, 5), 1)).toMatchObject({ late: 0 });
  expect(reorderOf(arrivals(3, 1, 2), 1)).toMatchObject({ late: 2 });
  expect(reorderOf([], 2)).toMatchObject({ arrived: 0, ratio: 0 });
  // Odd ones and even ones have different sockets.
  expect(reorderOf(arrivals(0, 2, 1, 3, 6, 4), 2)).toMatchObject({ late: 1 });
});

test.each([
  [[], null],
  [[3], 3],
  [[5, 1, 3], 3],
  [[4, 1, 3, 2], 2.5],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});
