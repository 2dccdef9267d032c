import { randomInt } from 'node:crypto';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { blockCount } from './address-plan.ts';
import { holdName, type HeldName } from './held-name.ts';

/** A block of addresses that nobody else on this network takes as long as it is held. */
export interface HeldBlock extends HeldName {
  block: number;
}

const tries = 64;

/** Takes a free block by chance. @throws TowlineError where all that were tried are held */
export async function holdAnyBlock(): Promise<HeldBlock> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const held = await holdBlock(randomInt(blockCount));
    if (held !== null) return held;
  }
  throw new TowlineError(
    'namespace-unavailable',
    'network',
    'No block of addresses is free: many runs are going on.',
  );
}

/** Takes a block, or tells by null that another run holds it. */
export async function holdBlock(block: number): Promise<HeldBlock | null> {
  const held = await holdName(`network-${block}`);
  return held && { block, ...held };
}
