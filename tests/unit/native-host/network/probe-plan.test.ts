import { describe, expect, test } from 'vitest';
import {
  connectionsFor,
  lossTrain,
  pingPlan,
  rateTrain,
  tcpHeaderBytes,
  udpHeaderBytes,
} from '../../../../native-host/network/probe-plan.ts';

const transports = ['udp', 'tcp'] as const;

describe.each(transports)('a rate train by %s', (by) => {
  test.each([64e3, 1e6, 8e6, 20e6])('keeps %d bit/s busy and is over soon', (rate) => {
    const { packets, packetBytes, packetsPerSecond } = rateTrain(rate, 0, 256, by);
    expect(packetsPerSecond * packetBytes * 8).toBeGreaterThan(rate * 1.2);
    // What it sends passes the bottleneck within two seconds, and what waits for it fits the queue.
    expect((packets * packetBytes * 8) / rate).toBeLessThan(2);
    expect(packets * (1 - rate / (packetsPerSecond * packetBytes * 8))).toBeLessThan(800);
  });

  test('sends what will be lost on top', () => {
    const [plain, lossy] = [rateTrain(1e6, 0, 256, by), rateTrain(1e6, 0.5, 256, by)];
    expect(lossy.packetsPerSecond).toBeCloseTo(2 * plain.packetsPerSecond, 6);
  });
});

test.each(transports)(
  'a loss train by %s uses less than half of the rate, so that the queue loses nothing',
  (by) => {
    for (const rate of [64e3, 1e6, 20e6]) {
      const { packetBytes, packetsPerSecond } = lossTrain(rate, 0.01, by);
      expect(packetBytes * 8 * packetsPerSecond).toBeLessThan(rate / 2);
    }
    expect(lossTrain(null, 0, by).packets).toBeGreaterThan(1000);
  },
);

test('every packet has room for its headers and something to carry', () => {
  for (const ipv6 of [false, true]) {
    expect(lossTrain(64e3, 0, 'udp').packetBytes - udpHeaderBytes(ipv6)).toBeGreaterThanOrEqual(9);
    expect(lossTrain(64e3, 0, 'tcp').packetBytes - tcpHeaderBytes(ipv6)).toBeGreaterThan(0);
    expect(rateTrain(16e3, 0, 256, 'tcp').packetBytes - tcpHeaderBytes(ipv6)).toBeGreaterThan(0);
  }
});

test('a TCP train’s connections carry no more than their initial window', () => {
  for (const rate of [64e3, 1e6, 8e6, 20e6]) {
    const plan = rateTrain(rate, 0.03, 256, 'tcp');
    expect(plan.packets / connectionsFor(plan, rate, 0.06).connections).toBeLessThanOrEqual(10);
  }
});

test('connections to spare are opened only where some will be lost', () => {
  const plan = rateTrain(1e6, 0, 256, 'tcp');
  expect(connectionsFor(plan, 1e6, 0).spare).toBe(0);
  expect(connectionsFor(plan, 1e6, 0.06).spare).toBeGreaterThan(2);
});

test('twenty pings; more, and further apart than times vary, with jitter', () => {
  expect(pingPlan(0)).toEqual({ count: 20, intervalMs: 15 });
  const { count, intervalMs } = pingPlan(10);
  expect(intervalMs).toBeGreaterThanOrEqual(20);
  expect(count).toBeGreaterThan(20);
});
