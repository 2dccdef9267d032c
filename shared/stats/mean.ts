import { requireFinite } from './require-finite.ts';

/**
 * Arithmetic mean, in the unit of the values; null when there are none.
 * @throws TowlineError `bad-argument` for NaN or Infinity
 */
export function mean(values: readonly number[]): number | null {
  requireFinite(values);
  if (values.length === 0) return null;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
