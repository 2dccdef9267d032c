import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Shape } from '../../shared/record/path.ts';
import type { TrialNamespace } from './network-path.ts';
import { pingPlan } from './probe-plan.ts';
import { withProbePair } from './probe-pair.ts';
import type { ProbePlace } from './probe-process.ts';
import { ProbedPath } from './probed-path.ts';
import type { Router } from './router.ts';
import { lateTable, shapeCommands } from './shape-commands.ts';

/** Has the router shape both directions. May be called again for a shape that has the same parts. */
async function applyShape(router: Router, shape: Shape, scratch: string): Promise<void> {
  if (shape.reorderRatio !== undefined) {
    await writeFile(join(scratch, 'late.dist'), lateTable(shape.reorderRatio));
  }
  for (const direction of ['down', 'up'] as const) {
    for (const command of shapeCommands(shape, direction, scratch)) await router.run(command);
  }
}

/**
 * Has the router shape both directions, so that the delay line and what the router itself takes make the
 * round-trip time asked for together.
 *
 * @param openTrial a namespace in front of the router, to measure from
 * @param far behind the router
 * @returns what the router itself takes, ms; 0 where that is too little to tell
 */
export async function shapeTogether(
  router: Router,
  shape: Shape,
  openTrial: () => Promise<TrialNamespace>,
  far: ProbePlace,
  scratch: string,
): Promise<number> {
  const ownRttMs = router.takesTime && shape.rttMs > 0 ? await ownRtt(router, openTrial, far, scratch) : 0;
  await applyShape(router, { ...shape, rttMs: Math.max(0, shape.rttMs - ownRttMs) }, scratch);
  return ownRttMs;
}

async function ownRtt(
  router: Router,
  openTrial: () => Promise<TrialNamespace>,
  far: ProbePlace,
  scratch: string,
): Promise<number> {
  await applyShape(router, delayOnly, scratch);
  const trial = await openTrial();
  try {
    return await measureOwnRtt({ enter: trial.enter, addresses: trial.clientAddresses }, far);
  } finally {
    await trial.close();
  }
}

/** More is no property of the router: the machine was busy with something else. */
const mostOwnRttMs = 2;

/** With a delay long enough for the delay line's timers to be at work. */
const delayOnly = {
  rttMs: 20,
  downBitsPerSecond: null,
  upBitsPerSecond: null,
  lossDownRatio: 0,
  lossUpRatio: 0,
  queuePackets: 1,
};

/**
 * What a round trip takes longer than the delay line was told: the way through the router, and timers that fire
 * late. In a guest that is a tenth of a short round trip. A low one of several counts, since what most of them take
 * longer on a busy machine is its load of that moment.
 * @returns ms, 0 to 2
 */
function measureOwnRtt(near: ProbePlace, far: ProbePlace): Promise<number> {
  return withProbePair(near, far, async (nearEnd, farEnd) => {
    const rttsMs = await new ProbedPath(nearEnd, farEnd, delayOnly).roundTrips('ping', pingPlan(0, null));
    const low = rttsMs.toSorted((a, b) => a - b)[Math.floor(rttsMs.length / 4)];
    return Math.min(mostOwnRttMs, Math.max(0, (low ?? 0) - delayOnly.rttMs));
  });
}
