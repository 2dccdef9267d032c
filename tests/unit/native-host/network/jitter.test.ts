import { expect, test } from 'vitest';
import { jitterOf, jitterToleranceMs } from '../../../../native-host/network/jitter.ts';
import { parseShape } from '../../../../native-host/network/parse-shape.ts';

// The quantiles of the sum of two uniform delays within plus and minus 10 ms: triangular between -20 and 20 ms.
const triangular = Array.from({ length: 2000 }, (_, index) => {
  const probability = (index + 0.5) / 2000;
  return probability < 0.5 ? -20 + 20 * Math.sqrt(2 * probability) : 20 - 20 * Math.sqrt(2 - 2 * probability);
});

test('the jitter of round trips whose delays vary by 10 ms each way', () => {
  const asked = parseShape('rtt=100ms,jitter=10ms');
  expect(
    jitterOf(
      asked,
      triangular.map((deviation) => 100 + deviation),
    ),
  ).toBeCloseTo(10, 1);
});

test('is not told from one round trip, nor where packets are late on purpose', () => {
  expect(jitterOf(parseShape('rtt=100ms,jitter=10ms'), [100])).toBeNull();
  expect(jitterOf(parseShape('rtt=100ms,jitter=10ms,reorder=1%'), [90, 100, 110])).toBeNull();
});

test('more round trips allow less', () => {
  expect(jitterToleranceMs(10, 60)).toBeLessThan(jitterToleranceMs(10, 20));
  expect(jitterToleranceMs(10, 60)).toBeGreaterThan(0.5);
});
