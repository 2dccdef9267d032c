/** Ranks from 1, equal values sharing the mean of theirs, and how many values share each. */
export interface Ranking {
  /** In the order of the values. Multiples of 0.5. */
  ranks: number[];
  /** Sizes of the groups of equal values, groups of one included. */
  groups: number[];
}

/** Ranks values by size; empty for no values. Source: any rank test, "midranks". */
export function rank(values: readonly number[]): Ranking {
  const order = [...values.keys()].sort((a, b) => at(values, a) - at(values, b));
  const ranks = new Array<number>(values.length).fill(0);
  const groups: number[] = [];
  for (let start = 0; start < order.length;) {
    const value = at(values, at(order, start));
    let end = start + 1;
    while (end < order.length && at(values, at(order, end)) === value) end++;
    for (const index of order.slice(start, end)) ranks[index] = (start + 1 + end) / 2;
    groups.push(end - start);
    start = end;
  }
  return { ranks, groups };
}

/** Sum of t^3 - t over groups of t equal values: what ties take away from the variance of ranks. */
export function tieTerm(groups: readonly number[]): number {
  return groups.reduce((sum, size) => sum + (size ** 3 - size), 0);
}

function at(values: readonly number[], index: number): number {
  const value = values[index];
  if (value === undefined) throw new RangeError(`no value at ${index}`);
  return value;
}
