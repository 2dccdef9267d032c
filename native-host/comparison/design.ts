import type { Arm } from '../../shared/record/arm.ts';
import type { Design } from '../../shared/record/record.ts';
import { armPairs } from '../../shared/stats/reductions.ts';
import { seededGenerator } from '../../shared/stats/seeded-generator.ts';
import { shuffled } from '../../shared/stats/shuffle.ts';
import { planStopping } from '../../shared/stats/stopping-rule.ts';

export interface DesignOptions {
  arms: readonly Arm[];
  /** Blocks that count. */
  rounds: number;
  /** Decides the order of the arms in every block: the same seed gives the same order. */
  seed: number;
  gapMs: number;
  /** Lets the run end before its last block once every interval is this narrow, percentage points; null: it never does. */
  precisionPercent?: number | null;
}

/** One block warms servers and resolvers on the path up, never the browser, and does not count. */
const warmupBlocks = 1;

/** How often a block with a failed arm is tried again before it is reported short. */
const blockRetries = 2;

/** Randomised complete blocks: every block holds each arm once, in an order drawn anew. */
export function planDesign({ arms, rounds, seed, gapMs, precisionPercent = null }: DesignOptions): Design {
  const random = seededGenerator(seed);
  const order = Array.from({ length: warmupBlocks + rounds }, () => shuffled(arms, random));
  const stopping =
    precisionPercent === null ? null : planStopping(precisionPercent, rounds, armPairs(arms).length);
  return { arms: [...arms], rounds, warmupBlocks, seed, gapMs, blockRetries, order, stopping };
}
