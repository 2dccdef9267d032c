import { describe, expect, test } from 'vitest';
import { judgePath } from '../../../../native-host/network/judge-path.ts';
import { parseShape } from '../../../../native-host/network/parse-shape.ts';
import { wilsonInterval } from '../../../../native-host/network/wilson-interval.ts';
import type { PathMeasurement } from '../../../../shared/record/path.ts';

const asked = parseShape('rtt=150ms,down=1mbit,up=1mbit,loss-down=1%');

function measured(part: Partial<PathMeasurement> = {}): Omit<PathMeasurement, 'deviations'> {
  return {
    ...{ rttMs: 150.4, rttSamples: 20, downBitsPerSecond: 998_000, upBitsPerSecond: 1_001_000 },
    ...{ lossDown: null, lossUp: null, probeBytes: 1, durationMs: 1 },
    ...part,
  };
}

test('a path as asked has no deviations', () => {
  expect(judgePath(asked, measured())).toEqual([]);
});

// The limits are METHOD's: max(1 ms, 2 %), and 3 %.
test.each([
  [{ rttMs: 152.9 }, 0],
  [{ rttMs: 153.1 }, 1],
  [{ rttMs: 146.9 }, 1],
  [{ rttMs: null }, 1],
  [{ downBitsPerSecond: 970_001 }, 0],
  [{ downBitsPerSecond: 969_999 }, 1],
  [{ upBitsPerSecond: 1_030_001 }, 1],
  [{ upBitsPerSecond: null }, 1],
  [{ rttMs: 200, upBitsPerSecond: 2_000_000 }, 2],
])('%j makes %i deviations', (part, count) => {
  expect(judgePath(asked, measured(part))).toHaveLength(count);
});

test('short round trips may be a millisecond off', () => {
  const near = parseShape('rtt=10ms');
  expect(judgePath(near, measured({ rttMs: 10.99 }))).toEqual([]);
  expect(judgePath(near, measured({ rttMs: 11.01 }))).toHaveLength(1);
});

test('a deviation tells both numbers', () => {
  const [sentence] = judgePath(asked, measured({ rttMs: 163.25 }));
  expect(sentence).toContain('150 ms');
  expect(sentence).toContain('163.25 ms');
});

describe('by TCP', () => {
  const tcp = {
    rttMs: 150.2,
    rttSamples: 20,
    downBitsPerSecond: 1e6,
    upBitsPerSecond: 1e6,
    lossDown: null,
    lossUp: null,
  };

  test('the limits are the same', () => {
    expect(judgePath(asked, measured({ tcp }))).toEqual([]);
    expect(judgePath(asked, measured({ tcp: { ...tcp, rttMs: 153.1 } }))).toHaveLength(1);
    expect(judgePath(asked, measured({ tcp: { ...tcp, upBitsPerSecond: 969_999 } }))).toHaveLength(1);
  });

  test('a deviation says so', () => {
    expect(judgePath(asked, measured({ tcp: { ...tcp, downBitsPerSecond: 2e6 } }))).toEqual([
      'Down rate asked 1000.0 kbit/s, measured by TCP 2000.0 kbit/s: more than 3 % off',
    ]);
  });
});

test('with jitter, a median may be off by what so few round trips leave open', () => {
  const varying = parseShape('rtt=100ms,jitter=20ms');
  const found = (rttMs: number, rttSamples: number) => measured({ rttMs, rttSamples, jitterMs: 20 });
  expect(judgePath(varying, found(106, 60))).toEqual([]);
  expect(judgePath(varying, found(106, 600))).toHaveLength(1);
  expect(judgePath(varying, { ...found(100, 60), jitterMs: 4 })).toEqual([
    expect.stringContaining('Jitter asked 20 ms, measured 4.00 ms'),
  ]);
});

test('reordering is held against its interval', () => {
  const asked = parseShape('rtt=10ms,reorder=2%');
  const found = (late: number) =>
    measured({
      rttMs: 10,
      reorderDown: { arrived: 1000, late, ratio: late / 1000, interval: wilsonInterval(late, 1000) },
    });
  expect(judgePath(asked, found(20))).toEqual([]);
  expect(judgePath(asked, found(60))).toHaveLength(1);
});
