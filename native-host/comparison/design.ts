import type { Arm } from '../../shared/record/arm.ts';
import type { Design } from '../../shared/record/record.ts';
import { seededGenerator } from '../../shared/stats/seeded-generator.ts';
import { shuffled } from '../../shared/stats/shuffle.ts';

export interface DesignOptions {
  arms: readonly Arm[];
  /** Blocks that count. */
  rounds: number;
  /** Decides the order of the arms in every block: the same seed gives the same order. */
  seed: number;
  gapMs: number;
}

/** One block warms servers and resolvers on the path up, never the browser, and does not count. */
const warmupBlocks = 1;

/** How often a block with a failed arm is tried again before it is reported short. */
const blockRetries = 2;

/** Randomised complete blocks: every block holds each arm once, in an order drawn anew. */
export function planDesign({ arms, rounds, seed, gapMs }: DesignOptions): Design {
  const random = seededGenerator(seed);
  const order = Array.from({ length: warmupBlocks + rounds }, () => shuffled(arms, random));
  return { arms: [...arms], rounds, warmupBlocks, seed, gapMs, blockRetries, order };
}
