import { setTimeout as delay } from 'node:timers/promises';

/** A page is over when nothing has moved for this long after its load event ... */
export const quietMs = 500;
/** ... and a page that never is over is cut off after this long, in every arm alike. */
export const quietLimitMs = 30_000;

/**
 * Resolves when nothing has moved for {@link quietMs}, at most {@link quietLimitMs} from now.
 * @param quietForMs how long nothing has moved, ms, by every source that can tell
 */
export async function waitUntilQuiet(quietForMs: () => number): Promise<void> {
  const limit = performance.now() + quietLimitMs;
  for (;;) {
    const leftMs = quietMs - quietForMs();
    if (leftMs <= 0 || performance.now() >= limit) return;
    await delay(Math.min(leftMs, limit - performance.now()));
  }
}
