import { cleanUpDeadRuns } from '../network/host-changes.ts';
import { runningLabs } from '../runs/lab-registry.ts';
import { pruneRuns } from '../runs/prune-runs.ts';
import { pruneScratch } from '../runs/prune-scratch.ts';
import {
  runsDirectory,
  stateDirectory,
  windowsDirectory,
  type DirectoryEnvironment,
} from '../runs/state-directory.ts';

/**
 * Takes back what dead runs have left, and touches nothing of live ones. At every start, on `doctor --clean`, and
 * when a guardian sees its run die.
 *
 * The processes, namespaces, links and rules of a dead run are gone already, by the kernel: they lived in its
 * capsule. What may remain is its directory, its temporary files where it ran without a capsule, and what a run of
 * root has switched on at the host's own interfaces.
 *
 * @returns one sentence for everything that was done
 */
export async function cleanUp(
  isRoot: boolean,
  env: DirectoryEnvironment = process.env,
  nowMs = Date.now(),
): Promise<string[]> {
  const blocks = isRoot ? await cleanUpDeadRuns() : [];
  // Reading the list forgets the dead ones.
  await runningLabs(stateDirectory(env));
  const runs = await pruneRuns(nowMs, runsDirectory(env));
  // Of a dead window nothing is worth a sentence but the profile it left.
  const windows = await pruneRuns(nowMs, windowsDirectory(env));
  const scratch = [...[...runs, ...windows].flatMap(({ files }) => files), ...(await pruneScratch(nowMs))];
  return [
    ...runs.flatMap(({ runId, action, reason }) =>
      action === 'tidied' ? [] : [`${done[action](runId)} ${reason}`],
    ),
    ...scratch.map((path) => `Removed ${path}, which a killed run left.`),
    ...blocks.map((block) => `Put back the settings of the host's interfaces that run ${block} had changed.`),
  ];
}

const done = {
  removed: (runId: string) => `Removed the run ${runId}.`,
  'marked-lost': (runId: string) => `Marked the run ${runId} as lost.`,
} as const;
