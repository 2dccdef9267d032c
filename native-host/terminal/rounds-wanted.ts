import { counted } from '../../shared/record/names.ts';
import type { ComparisonRecord } from '../../shared/record/record.ts';
import { blocksNeeded } from '../../shared/stats/blocks-needed.ts';
import { armPairs } from '../../shared/stats/reductions.ts';

/**
 * One line that says how many rounds a verdict takes, where there were too few; null where there were enough, and
 * where more would not help, since no two arms were valid in the same block.
 */
export function roundsWanted({ design, statistics }: ComparisonRecord): string | null {
  const { pairs, arms, confidence } = statistics;
  const compared = pairs.filter(({ blocks }) => blocks > 0);
  if (!compared.some(({ verdict }) => verdict.direction === 'not-enough-data')) return null;
  const valid = arms.filter((arm) => arm.valid > 0).map(({ arm }) => arm);
  const needed = blocksNeeded(confidence, armPairs(valid).length);
  const fewest = Math.min(...compared.map(({ blocks }) => blocks));
  const option = design.stopping === null ? '--rounds' : '--max-rounds';
  return (
    `Too few rounds to tell a difference from chance: ${counted(fewest, 'round')} of the ${needed} that ` +
    `${valid.length} arms need. Compare again with ${option} ${needed} or more.`
  );
}
