import { expect, test } from 'vitest';
import { describeCheckedShape } from '../../../../native-host/commands/network-check-text.ts';
import { lossOf } from '../../../../native-host/network/judge-arrivals.ts';
import { parseShape } from '../../../../native-host/network/parse-shape.ts';
import type { PathMeasurement } from '../../../../shared/record/path.ts';

const asked = parseShape('rtt=150ms,jitter=5ms,down=1mbit,loss-down=gemodel:1%/25%,queue=64');
const measured: PathMeasurement = {
  ...{ rttMs: 150.44, rttSamples: 60, downBitsPerSecond: 998_000, upBitsPerSecond: null },
  lossDown: { ...lossOf(1094, 1052, 6.7), bursts: 11 },
  lossUp: lossOf(2100, 2100),
  families: ['IPv4', 'IPv6'],
  tcp: {
    ...{ rttMs: 150.2, rttSamples: 59, downBitsPerSecond: 1_001_000, upBitsPerSecond: null },
    ...{ lossDown: lossOf(900, 866, 6.7), lossUp: lossOf(900, 900) },
  },
  jitterMs: 5.21,
  queue: { packetBytes: 1280, predictedRttMs: 805.36, rttMs: 800.1, rttSamples: 14 },
  ...{ probeBytes: 812_345, durationMs: 7890, deviations: [] },
};

test('asked beside measured, by UDP and by TCP', () => {
  const lines = describeCheckedShape({ asked, router: 'namespace', measured });
  const row = (name: string) =>
    lines
      .find((line) => line.trim().startsWith(name))
      ?.split(/ {2,}/)
      .slice(1);
  expect(row('round trip')).toEqual([
    'round trip',
    '150 ms',
    '150.4 ms (median of 60)',
    '150.2 ms (median of 59)',
  ]);
  expect(row('jitter')).toEqual(['jitter each way', '5 ms', '5.2 ms']);
  expect(row('rate down')).toEqual(['rate down', '1 Mbit/s', '998 kbit/s', '1.001 Mbit/s']);
  expect(row('rate up')).toEqual(['rate up', 'unlimited']);
  expect(row('loss down')?.[2]).toMatch(/^3\.84 % \(\d.* to \d.* %\), 42 of 1094$/);
  expect(row('its bursts')).toEqual(['its bursts', '4.0 packets', '3.8 packets, 11 bursts']);
  expect(row('full queue')).toEqual(['full queue', '64 packets', 'RTT 800.1 ms; 805 ms expected']);
  expect(lines.join('\n')).toContain('812 KB of IPv4 and IPv6 packets in 7.9 s; shaped in a namespace');
  expect(lines.at(-1)).toBe('The network is as asked.');
});

test('a path that takes longer than ten seconds says why', () => {
  const long = parseShape('rtt=2s,down=1mbit,up=1mbit');
  const words = (shape: typeof long) =>
    describeCheckedShape({ asked: shape, router: null, measured }).join('\n');
  expect(words(long)).toMatch(/needs 1\d\.\d s instead of 10 s: \d\.\d s for round trips, /);
  expect(words(asked)).not.toContain('instead of 10 s');
});

test('what is not as asked comes last, each in a line', () => {
  const deviations = ['RTT asked 150 ms, measured 163.25 ms: more than 3 ms off', 'another'];
  const lines = describeCheckedShape({ asked, router: null, measured: { ...measured, deviations } });
  expect(lines.slice(-3)).toEqual([
    'The network is NOT as asked:',
    `  ${deviations[0] ?? ''}.`,
    '  another.',
  ]);
});

test('a record from when only UDP over IPv4 was probed still reads', () => {
  const { rttMs, rttSamples, downBitsPerSecond, upBitsPerSecond, lossDown, lossUp } = measured;
  const old = {
    ...{ rttMs, rttSamples, downBitsPerSecond, upBitsPerSecond, lossDown, lossUp },
    ...{ probeBytes: 1000, durationMs: 1000, deviations: [] },
  };
  expect(describeCheckedShape({ asked, router: null, measured: old }).join('\n')).toContain(
    '1 KB of IPv4 packets',
  );
});
