import { blocksNeeded } from '../../shared/stats/blocks-needed.ts';

/** Fewest rounds that can tell a difference between so many arms, each pair compared, at the 95 % level. */
export function roundsNeeded(arms: number): number {
  return blocksNeeded(0.95, Math.max(1, (arms * (arms - 1)) / 2));
}
