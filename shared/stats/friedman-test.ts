import { chiSquareSurvival } from './chi-square-distribution.ts';
import { rank, tieTerm } from './ranks.ts';
import { requireFinite } from './require-finite.ts';

export interface FriedmanResult {
  /** Chi-square with one degree of freedom fewer than there are arms, corrected for ties. */
  statistic: number;
  pValue: number;
}

/**
 * Friedman's test of no difference between three or more arms over complete blocks (Friedman 1937): values are
 * ranked within their block, so whatever a block adds to all its arms drops out.
 *
 * @param blocks one row per block, one value per arm, all rows equally long
 * @returns null with fewer than three arms, fewer than two blocks, or only ties in every block
 * @throws TowlineError `bad-argument` for NaN or Infinity
 */
export function friedmanTest(blocks: readonly (readonly number[])[]): FriedmanResult | null {
  blocks.forEach(requireFinite);
  const n = blocks.length;
  const k = blocks[0]?.length ?? 0;
  if (k < 3 || n < 2) return null;
  const rankSums = new Array<number>(k).fill(0);
  let ties = 0;
  for (const block of blocks) {
    const { ranks, groups } = rank(block);
    for (const [arm, value] of ranks.entries()) rankSums[arm] = (rankSums[arm] ?? 0) + value;
    ties += tieTerm(groups);
  }
  const correction = 1 - ties / (n * k * (k * k - 1));
  if (correction === 0) return null;
  const squares = rankSums.reduce((sum, rankSum) => sum + rankSum ** 2, 0);
  const statistic = ((12 * squares) / (n * k * (k + 1)) - 3 * n * (k + 1)) / correction;
  return { statistic, pValue: chiSquareSurvival(statistic, k - 1) };
}
