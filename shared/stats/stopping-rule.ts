import type { Estimate } from '../record/statistics.ts';
import type { Look, StoppingPlan } from '../record/stopping-plan.ts';
import { blocksNeeded } from './blocks-needed.ts';

/** Each look has this many times the blocks of the one before: looks cost confidence, so they are few. */
const growth = 1.5;

/**
 * Plans the looks of a run that ends as soon as its intervals are narrow enough.
 *
 * Error control: alpha spending (Lan and DeMets 1983) with a linear spending function. What may be spent by a
 * look is alpha times the share of the blocks then done; each look spends what has been added since the last,
 * and takes the interval at one minus that. By Bonferroni over the looks, the chance that any interval at any
 * look misses the truth is at most alpha, whenever and for whatever reason the run ends at a look, and however
 * the looks hang together; so is the chance of any false verdict.
 *
 * @param maxBlocks blocks at which the run ends in any case, 1 or more
 * @param pairs pairs of arms with a verdict; the first look comes where a verdict becomes possible
 * @param alpha 0.05 for an overall confidence of 95 %
 */
export function planStopping(
  precisionPercent: number,
  maxBlocks: number,
  pairs: number,
  alpha = 0.05,
): StoppingPlan {
  const looks: Look[] = [];
  let spentAt = 0;
  for (let blocks = firstLook(maxBlocks, pairs, alpha); ; blocks = Math.ceil(blocks * growth)) {
    const last = blocks * Math.sqrt(growth) >= maxBlocks;
    const at = last ? maxBlocks : blocks;
    looks.push({ blocks: at, confidence: 1 - (alpha * (at - spentAt)) / maxBlocks });
    if (last) return { precisionPercent, looks };
    spentAt = at;
  }
}

/**
 * The confidence at which a run is judged: that of the look it has come to, or, between looks, of the next. A run
 * that a person stops between looks is thus judged no more kindly than one that went on.
 *
 * @param plan null for a run to its last block: then 0.95
 * @param blocks blocks run so far, the warm-up left out
 */
export function plannedConfidence(plan: StoppingPlan | null, blocks: number): number {
  const look = plan?.looks.find((next) => next.blocks >= blocks) ?? plan?.looks.at(-1);
  return look?.confidence ?? 0.95;
}

/** The first number of blocks whose share of alpha lets a verdict be reached at all. */
function firstLook(maxBlocks: number, pairs: number, alpha: number): number {
  let blocks = 1;
  while (blocks < maxBlocks && blocks < blocksNeeded(1 - (alpha * blocks) / maxBlocks, pairs)) blocks++;
  return blocks;
}

/**
 * Whether the run ends now.
 *
 * @param blocks blocks run so far, the warm-up left out
 * @param reductions the percent reductions of all pairs that matter, at the confidence of this look
 * @returns false between looks, whatever the intervals say: that is what keeps the error
 */
export function mayStop(
  plan: StoppingPlan,
  blocks: number,
  reductions: readonly (Estimate | null)[],
): boolean {
  const last = plan.looks.at(-1);
  if (last === undefined || blocks >= last.blocks) return true;
  if (!plan.looks.some((look) => look.blocks === blocks)) return false;
  return reductions.every((estimate) => {
    const { low, high } = estimate ?? { low: null, high: null };
    return low !== null && high !== null && (high - low) / 2 <= plan.precisionPercent;
  });
}
