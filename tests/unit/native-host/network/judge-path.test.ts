import { expect, test } from 'vitest';
import { judgePath } from '../../../../native-host/network/judge-path.ts';
import { parseShape } from '../../../../native-host/network/parse-shape.ts';
import { lossOf } from '../../../../native-host/network/probe-plan.ts';
import type { PathMeasurement } from '../../../../shared/record/path.ts';

const asked = parseShape('rtt=150ms,down=1mbit,up=1mbit,loss-down=1%');

function measured(part: Partial<PathMeasurement> = {}): Omit<PathMeasurement, 'deviations'> {
  return {
    ...{ rttMs: 150.4, rttSamples: 20, downBitsPerSecond: 998_000, upBitsPerSecond: 1_001_000 },
    ...{ lossDown: lossOf(3000, 2974), lossUp: null, probeBytes: 1, durationMs: 1 },
    ...part,
  };
}

test('a path as asked has no deviations', () => {
  expect(judgePath(asked, measured())).toEqual([]);
});

// The limits are METHOD's: max(1 ms, 2 %), 3 %, and the 95 % interval.
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
  [{ lossDown: lossOf(3000, 3000) }, 1],
])('%j makes %i deviations', (part, count) => {
  expect(judgePath(asked, measured(part))).toHaveLength(count);
});

test('short round trips may be a millisecond off', () => {
  const near = parseShape('rtt=10ms');
  expect(judgePath(near, measured({ rttMs: 10.99, lossDown: null }))).toEqual([]);
  expect(judgePath(near, measured({ rttMs: 11.01, lossDown: null }))).toHaveLength(1);
});

test('a deviation tells both numbers', () => {
  const [sentence] = judgePath(asked, measured({ rttMs: 163.25 }));
  expect(sentence).toContain('150 ms');
  expect(sentence).toContain('163.25 ms');
});
