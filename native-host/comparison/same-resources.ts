import type { Resource } from '../../shared/record/trial.ts';

/**
 * The page's own-origin resources as a set that two loads can be compared by. Query strings and long numbers
 * or hexadecimal words in the path are what pages randomise themselves, so they are made alike.
 */
export function resourceSet(own: readonly Resource[]): Set<string> {
  const seen = new Map<string, number>();
  const names = own.map(({ url }) => {
    const name = new URL(url).pathname.replaceAll(/[0-9a-f]{8,}|\d{5,}/gi, '*');
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} (${times})`;
  });
  return new Set(names);
}

/** What one set has that the other has not, in words; null when they are the same. */
export function setDifference(ours: ReadonlySet<string>, theirs: ReadonlySet<string>): string | null {
  const extra = [...ours].filter((name) => !theirs.has(name));
  const lacking = [...theirs].filter((name) => !ours.has(name));
  if (extra.length === 0 && lacking.length === 0) return null;
  const part = (what: string, names: string[]): string[] =>
    names.length === 0
      ? []
      : [`${what} ${names.length} (${names.slice(0, 3).join(', ')}${names.length > 3 ? ', ...' : ''})`];
  return [...part('only here:', extra), ...part('only in the other arms:', lacking)].join('; ');
}

/**
 * For each trial of one block, how its resources differ from the rest; null where they do not. What most
 * trials share is the page; without a majority nobody can say which is right, and every trial differs.
 */
export function resourceDifferences(sets: readonly ReadonlySet<string>[]): (string | null)[] {
  const alike = (set: ReadonlySet<string>) => sets.filter((other) => setDifference(set, other) === null);
  const page = sets.find((set) => alike(set).length * 2 > sets.length);
  return sets.map((set) => {
    const reference = page ?? sets.find((other) => setDifference(set, other) !== null) ?? set;
    return setDifference(set, reference);
  });
}
