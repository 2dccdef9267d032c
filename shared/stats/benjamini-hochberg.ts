import { requireFinite } from './require-finite.ts';

/**
 * Benjamini and Hochberg's step-up adjustment (1995), for many sites: of what is at most q after it, a share of
 * q is expected to be false. In the order of the input.
 * @throws TowlineError `bad-argument` for NaN
 */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  requireFinite(pValues);
  const descending = [...pValues.entries()].sort(([, a], [, b]) => b - a);
  const adjusted = new Array<number>(pValues.length).fill(1);
  let smallest = 1;
  for (const [place, [index, pValue]] of descending.entries()) {
    smallest = Math.min(smallest, (pValue * pValues.length) / (pValues.length - place));
    adjusted[index] = smallest;
  }
  return adjusted;
}
