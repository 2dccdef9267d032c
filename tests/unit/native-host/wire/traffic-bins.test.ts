import { expect, it } from 'vitest';
import { TrafficBins } from '../../../../native-host/wire/traffic-bins.ts';
import { SeededRandom } from './seeded-random.ts';

it('has no report without packets', () => {
  expect(new TrafficBins().report(0)).toBeNull();
});

it('counts bytes and packets each way by the millisecond', () => {
  const bins = new TrafficBins();
  bins.count('up', 60, 1000.2);
  bins.count('down', 60, 1002.9);
  bins.count('down', 1500, 1002.1);
  expect(bins.report(1000.2)).toEqual({
    binMs: 1,
    fromMs: -0.2,
    bytesDown: [0, 0, 1560],
    bytesUp: [60, 0, 0],
    packetsDown: [0, 0, 2],
    packetsUp: [1, 0, 0],
  });
});

it('holds a long load in 128 bins or fewer, in whatever order its packets come', () => {
  const random = new SeededRandom(7);
  const packets = Array.from({ length: 500 }, () => ({
    atMs: 1_795_252_672_645 + random.below(60_000),
    bytes: 40 + random.below(1460),
  }));
  const [one, other] = [new TrafficBins(), new TrafficBins()];
  for (const [index, { atMs, bytes }] of packets.entries()) {
    (index % 2 === 0 ? one : other).count('down', bytes, atMs);
  }
  one.add(other);
  const epochMs = Math.min(...packets.map(({ atMs }) => atMs));
  const report = one.report(epochMs);

  // 60 s in 128 bins: 512 ms are the least power of two that holds them.
  expect(report?.binMs).toBe(512);
  expect(report?.bytesDown.length).toBeLessThanOrEqual(128);
  const from = epochMs + (report?.fromMs ?? NaN);
  const expected = report?.bytesDown.map((_, bin) =>
    packets
      .filter(({ atMs }) => Math.floor((atMs - from) / 512) === bin)
      .reduce((sum, { bytes }) => sum + bytes, 0),
  );
  expect(report?.bytesDown).toEqual(expected);
});
