/** A moment read from packets, and the earliest and latest it can have been. All ms since 1970. */
export interface Estimate {
  readonly atMs: number;
  readonly earliestMs: number;
  readonly latestMs: number;
}

/** What can be told without keys of one connection during one page load. */
export interface KeylessEstimates {
  readonly firstRequest: Estimate | null;
  readonly lastResponse: Estimate | null;
}

/** A moment known exactly. */
export function exactly(atMs: number): Estimate {
  return { atMs, earliestMs: atMs, latestMs: atMs };
}

/** The first of several moments; null when there is none. */
export function firstOf(estimates: readonly Estimate[]): Estimate | null {
  return combined(estimates, (values) => values.reduce((a, b) => Math.min(a, b)));
}

/** The last of several moments; null when there is none. */
export function lastOf(estimates: readonly Estimate[]): Estimate | null {
  return combined(estimates, (values) => values.reduce((a, b) => Math.max(a, b)));
}

/** The time between two moments, and how far it may lie from the truth, ms. */
export function difference(later: Estimate, earlier: Estimate): { valueMs: number; errorBoundMs: number } {
  const valueMs = later.atMs - earlier.atMs;
  const leastMs = later.earliestMs - earlier.latestMs;
  const mostMs = later.latestMs - earlier.earliestMs;
  return { valueMs, errorBoundMs: Math.max(valueMs - leastMs, mostMs - valueMs) };
}

function combined(
  estimates: readonly Estimate[],
  select: (values: readonly number[]) => number,
): Estimate | null {
  if (estimates.length === 0) return null;
  return {
    atMs: select(estimates.map((e) => e.atMs)),
    earliestMs: select(estimates.map((e) => e.earliestMs)),
    latestMs: select(estimates.map((e) => e.latestMs)),
  };
}
