import { normalCdf } from './normal-distribution.ts';
import { rank, tieTerm } from './ranks.ts';
import { requireFinite } from './require-finite.ts';
import { signedRankDistribution } from './signed-rank-distribution.ts';

/** With more differences than this the normal approximation is used, as scipy does. */
export const maxExactDifferences = 50;

export interface SignedRankResult {
  /** Sum of the ranks of the positive differences. */
  positiveRankSum: number;
  /** Differences that were not 0. */
  n: number;
  /** Two-sided. */
  pValue: number;
  method: 'exact' | 'normal';
}

/**
 * Wilcoxon's signed-rank test of paired differences being symmetric about 0 (Wilcoxon 1945).
 *
 * Differences of 0 are left out, as Wilcoxon did. Up to {@link maxExactDifferences} the p-value is exact, with
 * ties too (the distribution over all signs given the ranks, scipy's `PermutationMethod`); above, normal with
 * tie correction and without continuity correction (scipy's `asymptotic`). When every difference is 0 there is
 * no sign to draw and the p-value is 1.
 *
 * @returns null when there are no differences
 * @throws TowlineError `bad-argument` for NaN or Infinity
 */
export function signedRankTest(differences: readonly number[]): SignedRankResult | null {
  requireFinite(differences);
  if (differences.length === 0) return null;
  const moved = differences.filter((difference) => difference !== 0);
  const n = moved.length;
  const { ranks, groups } = rank(moved.map(Math.abs));
  const positiveRankSum = ranks.reduce((sum, value, index) => sum + ((moved[index] ?? 0) > 0 ? value : 0), 0);
  if (n <= maxExactDifferences) {
    const pValue = exactPValue(signedRankDistribution(ranks), positiveRankSum);
    return { positiveRankSum, n, pValue, method: 'exact' };
  }
  const expected = (n * (n + 1)) / 4;
  const variance = (n * (n + 1) * (2 * n + 1)) / 24 - tieTerm(groups) / 48;
  const z = Math.abs(positiveRankSum - expected) / Math.sqrt(variance);
  return { positiveRankSum, n, pValue: 2 * normalCdf(-z), method: 'normal' };
}

/** Twice the smaller tail, the observed value in both. The distribution is symmetric, so the smaller side will do. */
function exactPValue(distribution: Float64Array, sum: number): number {
  const observed = Math.round(2 * sum);
  const smaller = Math.min(observed, distribution.length - 1 - observed);
  const tail = distribution.subarray(0, smaller + 1).reduce((total, probability) => total + probability, 0);
  return Math.min(1, 2 * tail);
}
