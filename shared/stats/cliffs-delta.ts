import { requireFinite } from './require-finite.ts';

/**
 * Cliff's delta (1993): how much likelier a value of the first sample is to exceed one of the second than the
 * other way round. 1 when all do, 0 when neither tends to, -1 when none do.
 *
 * @returns null when a sample is empty
 * @throws TowlineError `bad-argument` for NaN or Infinity
 */
export function cliffsDelta(first: readonly number[], second: readonly number[]): number | null {
  requireFinite(first);
  requireFinite(second);
  if (first.length === 0 || second.length === 0) return null;
  let balance = 0;
  for (const a of first) for (const b of second) balance += Math.sign(a - b);
  return balance / (first.length * second.length);
}
