import { normalQuantile } from './normal-distribution.ts';
import { quantileOfSorted } from './quantile.ts';
import { requireFinite } from './require-finite.ts';
import { signedRankDistribution } from './signed-rank-distribution.ts';
import { maxExactDifferences } from './signed-rank-test.ts';
import type { Estimate } from '../record/statistics.ts';

/**
 * Hodges-Lehmann shift of paired differences: the median of all means of two of them, each with itself too
 * (Walsh averages). Its interval is the one that belongs to the signed-rank test (Tukey 1949; Hollander and
 * Wolfe 1999, 3.2): distribution-free for differences that are symmetric about the shift, so it covers with at
 * least the asked confidence; with more than {@link maxExactDifferences} by the normal approximation.
 *
 * @returns null when there are no differences; `low` and `high` are null where no interval of that confidence
 *   exists: 95 % needs 6 differences
 * @throws TowlineError `bad-argument` for NaN or Infinity
 */
export function hodgesLehmann(differences: readonly number[], confidence: number): Estimate | null {
  requireFinite(differences);
  const averages = walshAverages(differences);
  const value = quantileOfSorted(averages, 0.5);
  if (value === null) return null;
  const outside = averagesOutside(differences.length, 1 - confidence);
  if (outside === null) return { value, low: null, high: null };
  return { value, low: averages[outside] ?? null, high: averages[averages.length - 1 - outside] ?? null };
}

function walshAverages(differences: readonly number[]): Float64Array {
  const n = differences.length;
  const averages = new Float64Array((n * (n + 1)) / 2);
  let next = 0;
  for (const [index, first] of differences.entries()) {
    for (const second of differences.slice(index)) averages[next++] = (first + second) / 2;
  }
  return averages.sort();
}

/** How many of the averages lie outside the interval at each end; null when even the outermost are too narrow. */
function averagesOutside(n: number, alpha: number): number | null {
  if (n > maxExactDifferences) {
    const spread = Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24);
    return Math.max(0, Math.floor((n * (n + 1)) / 4 + normalQuantile(alpha / 2) * spread));
  }
  const distribution = signedRankDistribution(Array.from({ length: n }, (_, index) => index + 1));
  let tail = 0;
  let sum = 0;
  for (; ; sum++) {
    tail += distribution[2 * sum] ?? 1;
    if (tail > alpha / 2) break;
  }
  return sum === 0 ? null : sum - 1;
}
