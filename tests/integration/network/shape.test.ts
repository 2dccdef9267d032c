import { beforeAll, expect, test } from 'vitest';
import { parseShape } from '../../../native-host/network/parse-shape.ts';
import type { PathMeasurement } from '../../../shared/record/path.ts';
import { buildPrograms, runInCapsule } from '../../support/capsule-program.ts';

let program: string;
beforeAll(async () => {
  program = (await buildPrograms(['shape-program']))['shape-program'];
});

test('a network has the asked jitter, bursts, order and queue, by UDP and TCP; another is refused with both numbers', async () => {
  const told = await runInCapsule('lab', program, {
    shape: parseShape(
      'rtt=60ms,jitter=5ms,down=2mbit,up=2mbit,loss-down=gemodel:2%/40%,loss-up=3%,reorder=2%/20ms,queue=64',
    ),
    then: parseShape('rtt=80ms'),
    claimed: parseShape('rtt=60ms'),
  });
  const { asAsked, otherwise } = told as Record<'asAsked' | 'otherwise', PathMeasurement>;

  // Inside METHOD's limits, and what is asked of it inside its own interval: judge-path.ts.
  expect(asAsked.deviations).toEqual([]);
  expect(asAsked.families).toEqual(['IPv4', 'IPv6']);
  const { lossDown, tcp, queue, reorderDown } = asAsked;
  // p / (p + r) of the packets, 1 / r in a row: Gilbert 1960.
  expect(lossDown?.interval[0]).toBeLessThanOrEqual(0.02 / 0.42);
  expect(lossDown?.interval[1]).toBeGreaterThanOrEqual(0.02 / 0.42);
  expect((lossDown?.lost ?? 0) / (lossDown?.bursts ?? 0)).toBeGreaterThan(1.5);
  expect(tcp?.lossUp?.lost).toBeGreaterThan(0);
  expect(tcp?.downBitsPerSecond).not.toBeNull();
  expect(reorderDown?.late).toBeGreaterThan(0);
  // 64 packets of 1280 bytes at 2 Mbit/s are 328 ms.
  expect(queue?.predictedRttMs).toBeCloseTo(60 + 327.68, 6);
  expect(Math.abs((queue?.rttMs ?? 0) / (60 + 327.68) - 1)).toBeLessThan(0.1);

  expect(otherwise.deviations.join()).toMatch(/RTT asked 60 ms, measured [78]\d\.\d\d ms/);
  expect(otherwise.deviations.join()).toMatch(/RTT asked 60 ms, measured by TCP [78]\d\.\d\d ms/);
});
