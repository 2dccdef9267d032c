import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { blockCount } from './address-plan.ts';

/** A block of addresses that nobody else on this network takes as long as it is held. */
export interface HeldBlock {
  block: number;
  release(): Promise<void>;
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

/**
 * Takes a block, or tells by null that another run holds it. The lock is a Unix socket with an abstract name, which
 * belongs to the network namespace and which the kernel frees when its owner dies, however it dies (unix(7)).
 */
export async function holdBlock(block: number): Promise<HeldBlock | null> {
  const server = createServer();
  const held = await new Promise<boolean>((resolve) => {
    server.once('error', () => {
      resolve(false);
    });
    server.listen(`\0towline-network-${block}`, () => {
      resolve(true);
    });
  });
  if (!held) return null;
  // A lock must not keep a process alive that has nothing else to do.
  server.unref();
  return { block, release: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}
