import type { Trial } from './trial.ts';

/** Blocks with a trial, valid or not, the warm-up left out. */
export function blocksRun(trials: readonly Trial[]): number {
  return new Set(trials.filter(({ warmup }) => !warmup).map(({ block }) => block)).size;
}
