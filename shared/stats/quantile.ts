import { requireFinite } from './require-finite.ts';

/**
 * Quantile by linear interpolation between the two nearest values: type 7 of Hyndman and Fan (1996), the
 * default of numpy and R. In the unit of the values.
 *
 * @param probability 0 (the minimum) to 1 (the maximum)
 * @returns null when there are no values
 * @throws TowlineError `bad-argument` for NaN or Infinity
 */
export function quantile(values: readonly number[], probability: number): number | null {
  requireFinite(values);
  return quantileOfSorted(Float64Array.from(values).sort(), probability);
}

/** The middle value, or the mean of the two in the middle; null when there are no values. */
export function median(values: readonly number[]): number | null {
  return quantile(values, 0.5);
}

/** {@link quantile} of values that are finite and in ascending order already. */
export function quantileOfSorted(sorted: Float64Array, probability: number): number | null {
  const position = probability * (sorted.length - 1);
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) return null;
  return below + (above - below) * (position - Math.floor(position));
}
