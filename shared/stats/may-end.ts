import type { Arm } from '../record/arm.ts';
import { blocksRun } from '../record/blocks-run.ts';
import type { Design } from '../record/record.ts';
import type { Trial } from '../record/trial.ts';
import { leadingReductions } from './reductions.ts';
import { finalResamples } from './resamples.ts';
import { mayStop, plannedConfidence } from './stopping-rule.ts';

/**
 * Whether the design's stopping plan ends the run now, after a whole block. The intervals are those that the
 * record will have if it does.
 *
 * @param trials all so far, judged
 * @param arms those still in the run: a pair with an arm that was given up will never have an interval
 * @returns false where there is no plan
 */
export function mayEnd(design: Design, trials: readonly Trial[], arms: readonly Arm[]): boolean {
  const { stopping, seed } = design;
  const blocks = blocksRun(trials);
  if (!stopping?.looks.some((look) => look.blocks === blocks)) return false;
  const confidence = plannedConfidence(stopping, blocks);
  const { pairs } = leadingReductions(trials, arms, { confidence, resamples: finalResamples, seed });
  return mayStop(
    stopping,
    blocks,
    pairs.map(({ reductionPercent }) => reductionPercent),
  );
}
