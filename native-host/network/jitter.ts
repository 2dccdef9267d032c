import type { Shape } from '../../shared/record/path.ts';

/**
 * The jitter that fits round-trip times, ms. A round trip adds two delays, each uniform within plus and minus the
 * jitter: their sum is triangular, with a standard deviation of the square root of two thirds of it.
 * @returns null for fewer than two, and where packets come late on purpose, which would be taken for jitter
 */
export function jitterOf({ reorderRatio }: Shape, rttsMs: readonly number[]): number | null {
  const count = rttsMs.length;
  if (count < 2 || reorderRatio !== undefined) return null;
  const mean = rttsMs.reduce((sum, rttMs) => sum + rttMs, 0) / count;
  const variance = rttsMs.reduce((sum, rttMs) => sum + (rttMs - mean) ** 2, 0) / (count - 1);
  return Math.sqrt(1.5 * variance);
}

/** 99.9 % of a normal distribution lie within so many standard deviations. */
const wide = 3.29;

/**
 * How far {@link jitterOf} may be from the jitter asked for, ms: 99.9 % of readings on a path that is right, by the
 * triangular distribution's fourth moment (2.4 times the squared variance), and half a millisecond for the machine.
 */
export function jitterToleranceMs(jitterMs: number, samples: number): number {
  return 0.5 + wide * jitterMs * Math.sqrt((2.4 - 1) / (4 * samples));
}

/**
 * How far the median of round-trip times may be off for their number alone, ms; 0 without jitter. A median's standard
 * error is 1 / (2 f sqrt(n)), and the triangular density at its peak is 1 / (2 jitter).
 */
export function medianToleranceMs(jitterMs: number, samples: number): number {
  return samples === 0 ? 0 : (wide * jitterMs) / Math.sqrt(samples);
}
