import { delayLine } from '../native-host/network/shape-commands.ts';
import type { TrialNetwork } from '../native-host/network/trial-network.ts';
import type { Shape } from '../shared/record/path.ts';

/**
 * Gives a shaped network the round-trip time of this shape while it is in use; rates and queues stay. Does nothing
 * where the network is not shaped.
 */
export async function changeRtt({ router, ownRttMs }: TrialNetwork, shape: Shape | null): Promise<void> {
  if (router === null || shape === null) return;
  for (const direction of ['down', 'up'] as const) {
    await router.run(delayLine({ ...shape, rttMs: Math.max(0, shape.rttMs - ownRttMs) }, direction));
  }
}
