import type { Check, Trial } from '../../shared/record/trial.ts';
import { verdictOf } from './check-trial.ts';
import { resourceDifferences, resourceSet } from './same-resources.ts';
import { ownRequests, type ComparedPage } from './treatment.ts';

/** Adds the rule that needs the whole block: every arm must have loaded the same page. */
export function judgeBlock(trials: readonly Trial[], page: ComparedPage): Trial[] {
  const loaded = trials.filter(({ error }) => error === null);
  const differences = resourceDifferences(
    loaded.map(({ resources }) => resourceSet(ownRequests(resources, page))),
  );
  return trials.map((trial) => {
    const at = loaded.indexOf(trial);
    const check = sameResources(at === -1 ? undefined : differences[at], loaded.length);
    return { ...trial, verdict: verdictOf([...trial.verdict.checks, check]) };
  });
}

function sameResources(difference: string | null | undefined, compared: number): Check {
  const rule = 'same-resources';
  if (difference === undefined) return { rule, passed: null, detail: 'the page did not load' };
  if (difference !== null) {
    return { rule, passed: false, detail: `other resources than the other arms of the block: ${difference}` };
  }
  return compared < 2
    ? { rule, passed: null, detail: 'no other arm to compare with' }
    : { rule, passed: true, detail: `the same own-origin resources in ${compared} arms` };
}
