import { describe, expect, test } from 'vitest';
import {
  connectionsFor,
  handshakePlan,
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

test('both loss trains together use little more than half of the rate, so that the queue loses nothing', () => {
  for (const rate of [64e3, 1e6, 20e6]) {
    const used = transports
      .map((by) => lossTrain(rate, 0.01, by))
      .reduce((sum, { packetBytes, packetsPerSecond }) => sum + packetBytes * 8 * packetsPerSecond, 0);
    // An acknowledgement is half as long as the smallest segment, and there may be one for each.
    expect(used).toBeLessThan(rate * 0.51);
  }
  expect(lossTrain(null, 0, 'udp').packets).toBeGreaterThan(900);
});

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
    expect(plan.packets / connectionsFor(plan)).toBeLessThanOrEqual(10);
  }
});

test('connections to spare are opened only where some will be lost', () => {
  expect(handshakePlan(20, 1e6, 0).spare).toBe(0);
  expect(handshakePlan(20, 1e6, 0.06).spare).toBeGreaterThan(2);
});

test('twenty pings; more, and further apart than times vary, with jitter', () => {
  expect(pingPlan(0, null)).toEqual({ count: 20, intervalMs: 15 });
  const { count, intervalMs } = pingPlan(10, null);
  expect(intervalMs).toBeGreaterThanOrEqual(20);
  expect(count).toBeGreaterThan(20);
});

test('on a slow path pings and handshakes never wait for each other', () => {
  // Of IPv6 with timestamps: RFC 8200, 768, 9293 and 7323. Ping, SYN, ACK and RST.
  const bytes = 64 + 80 + 72 + 60;
  for (const rate of [16e3, 64e3, 1e6]) {
    for (const jitterMs of [0, 5]) {
      const { count, intervalMs } = pingPlan(jitterMs, rate);
      // A token bucket of 1,500 bytes that is full at the start, as shapeCommands makes it.
      const owed = count * bytes - (rate / 8000) * intervalMs * (count - 1);
      expect(owed).toBeLessThan(1500);
    }
  }
  expect(pingPlan(0, 1e6).intervalMs).toBe(15);
});

test('a rate train’s head empties the bucket even where much of it is lost', () => {
  const { head, packetBytes } = rateTrain(64e3, 0.03, 256, 'udp');
  // Three in a hundred lost: of 15 that fill the bucket, more than three are in one train of a thousand.
  expect((head - 3) * packetBytes).toBeGreaterThanOrEqual(1500);
});
