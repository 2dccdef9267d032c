import { requireFinite } from './require-finite.ts';

/**
 * Holm's step-down adjustment (1979): calling what is at most alpha after it makes any false call at all with
 * probability at most alpha, whatever ties the tests together. In the order of the input.
 * @throws TowlineError `bad-argument` for NaN
 */
export function holm(pValues: readonly number[]): number[] {
  requireFinite(pValues);
  const order = [...pValues.entries()].sort(([, a], [, b]) => a - b);
  const adjusted = new Array<number>(pValues.length).fill(1);
  let largest = 0;
  for (const [place, [index, pValue]] of order.entries()) {
    largest = Math.min(1, Math.max(largest, pValue * (pValues.length - place)));
    adjusted[index] = largest;
  }
  return adjusted;
}
