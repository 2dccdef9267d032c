import { requireFinite } from './require-finite.ts';

/** One step of an empirical distribution: the share of all values that are at most `value`. */
export interface EcdfStep {
  value: number;
  /** Above 0, at most 1; 1 at the last step. */
  share: number;
}

/**
 * Empirical cumulative distribution: one step per distinct value, ascending; empty when there are no values.
 * @throws TowlineError `bad-argument` for NaN or Infinity
 */
export function ecdf(values: readonly number[]): EcdfStep[] {
  requireFinite(values);
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.flatMap((value, index) =>
    sorted[index + 1] === value ? [] : [{ value, share: (index + 1) / sorted.length }],
  );
}
