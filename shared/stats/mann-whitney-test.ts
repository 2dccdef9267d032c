import { normalCdf } from './normal-distribution.ts';
import { rank, tieTerm } from './ranks.ts';
import { requireFinite } from './require-finite.ts';

/** Without ties, the p-value is exact while one sample has at most this many values, as in scipy. */
const maxExactSample = 8;

export interface MannWhitneyResult {
  /** Pairs in which the first sample's value is the larger, equal ones counted half. */
  u: number;
  /** Two-sided. */
  pValue: number;
  method: 'exact' | 'normal';
}

/**
 * Mann and Whitney's test of two independent samples (1947), for comparisons that share no blocks. Exact when a
 * sample is small and nothing is tied, else normal with tie and continuity corrections: scipy's defaults.
 *
 * @returns null when a sample is empty
 * @throws TowlineError `bad-argument` for NaN or Infinity
 */
export function mannWhitneyTest(
  first: readonly number[],
  second: readonly number[],
): MannWhitneyResult | null {
  requireFinite(first);
  requireFinite(second);
  const [n1, n2] = [first.length, second.length];
  if (n1 === 0 || n2 === 0) return null;
  const { ranks, groups } = rank([...first, ...second]);
  const rankSum = ranks.slice(0, n1).reduce((sum, value) => sum + value, 0);
  const u = rankSum - (n1 * (n1 + 1)) / 2;
  const larger = Math.max(u, n1 * n2 - u);
  const untied = groups.every((size) => size === 1);
  if (untied && Math.min(n1, n2) <= maxExactSample) {
    return { u, pValue: Math.min(1, 2 * upperTail(larger, n1, n2)), method: 'exact' };
  }
  const n = n1 + n2;
  const spread = Math.sqrt(((n1 * n2) / 12) * (n + 1 - tieTerm(groups) / (n * (n - 1))));
  const z = (larger - (n1 * n2) / 2 - 0.5) / spread;
  return { u, pValue: Math.min(1, 2 * normalCdf(-z)), method: 'normal' };
}

/** P(U >= u) without ties: of all ways to give the ranks to two samples, the share with so large a U. */
function upperTail(u: number, n1: number, n2: number): number {
  const small = Math.min(n1, n2);
  const most = n1 * n2;
  // ways[taken][sum]: subsets of the ranks seen so far, by size and by U, which a subset's k-th rank r raises by r - k.
  const ways = Array.from({ length: small + 1 }, () => new Float64Array(most + 1));
  const empty = ways[0];
  if (empty) empty[0] = 1;
  for (let rankSeen = 1; rankSeen <= n1 + n2; rankSeen++) {
    for (let taken = Math.min(small, rankSeen); taken >= 1; taken--) {
      const [from, to] = [ways[taken - 1], ways[taken]];
      if (!from || !to) continue;
      const raise = rankSeen - taken;
      for (let sum = most; sum >= raise; sum--) to[sum] = (to[sum] ?? 0) + (from[sum - raise] ?? 0);
    }
  }
  const counts = ways[small] ?? new Float64Array(0);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.subarray(u).reduce((sum, count) => sum + count, 0) / total;
}
