/**
 * Distribution of the sum of positive ranks when each rank is positive or negative with equal chance: the null
 * distribution of Wilcoxon's signed-rank statistic, conditional on the ranks, so exact with ties too.
 *
 * @param ranks multiples of 0.5, as midranks are
 * @returns probabilities by twice the sum: `[s]` is P(sum = s / 2); `[1]` for no ranks
 */
export function signedRankDistribution(ranks: readonly number[]): Float64Array {
  const doubled = ranks.map((rank) => Math.round(2 * rank));
  const probabilities = new Float64Array(doubled.reduce((sum, rank) => sum + rank, 1));
  probabilities[0] = 1;
  let reached = 0;
  for (const rank of doubled) {
    for (let sum = reached; sum >= 0; sum--) {
      const half = (probabilities[sum] ?? 0) / 2;
      probabilities[sum] = half;
      probabilities[sum + rank] = (probabilities[sum + rank] ?? 0) + half;
    }
    reached += rank;
  }
  return probabilities;
}
