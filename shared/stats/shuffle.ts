import type { Random } from './seeded-generator.ts';

/** The same items in an order in which every permutation is equally likely (Fisher and Yates; Durstenfeld 1964). */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const left = [...items];
  const drawn: T[] = [];
  while (left.length > 0) drawn.push(...left.splice(Math.floor(random() * left.length), 1));
  return drawn;
}
