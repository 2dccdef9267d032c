import { counted } from '../../shared/record/names.ts';
import type { Trial } from '../../shared/record/trial.ts';

/**
 * The trials that do not count, in groups: "h3, 2 trials (blocks 4, 7): why". Trials of one arm belong together
 * when their reasons differ in numbers at most. Empty when all count.
 */
export function invalidTrials(trials: readonly Trial[]): string[] {
  const groups = new Map<string, Trial[]>();
  for (const trial of trials.filter(({ verdict, warmup }) => !verdict.valid && !warmup)) {
    const key = `${trial.arm}: ${reasonsOf(trial).replaceAll(/\d+(\.\d+)?/g, '#')}`;
    groups.set(key, [...(groups.get(key) ?? []), trial]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const blocks = [...new Set(group.map(({ block }) => block))];
    const where = `${blocks.length === 1 ? 'block' : 'blocks'} ${blocks.join(', ')}`;
    const alike = new Set(group.map(reasonsOf)).size > 1 ? ', and the like' : '';
    return [`${first.arm}, ${counted(group.length, 'trial')} (${where}): ${reasonsOf(first)}${alike}`];
  });
}

function reasonsOf({ verdict }: Trial): string {
  return verdict.reasons.join('; ');
}
