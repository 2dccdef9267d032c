import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { currentStatus } from './current-status.ts';
import { RunDirectory } from './run-directory.ts';
import { runsDirectory } from './state-directory.ts';
import { takeBack } from './take-back.ts';
import { isTemporaryFile } from './write-file-atomically.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** A run that nobody fetched is kept for so long. */
export const keepRunsMs = 30 * dayMs;

/** A directory that was just made has no owner yet: it is left alone for so long. */
const beginningMs = minuteMs;

/** What was done to a run that is dead. */
export interface PrunedRun {
  runId: string;
  action: 'marked-lost' | 'removed' | 'tidied';
  /** Why, one sentence. */
  reason: string;
  /** What was removed of the files it had left elsewhere. */
  files: string[];
}

/**
 * Puts dead runs in order: one that was cut off is marked as lost, and removed if it had measured nothing; one
 * that nobody has fetched for {@link keepRunsMs} is removed; what a crash left by its journal goes. Live runs are not
 * touched.
 *
 * @param nowMs the time, ms since 1970
 */
export async function pruneRuns(nowMs: number, root = runsDirectory()): Promise<PrunedRun[]> {
  const pruned: PrunedRun[] = [];
  for (const run of await RunDirectory.list(root)) {
    const done = await pruneRun(run, nowMs);
    if (done) pruned.push({ runId: run.runId, ...done });
  }
  return pruned;
}

async function pruneRun(run: RunDirectory, nowMs: number): Promise<Omit<PrunedRun, 'runId'> | null> {
  const made = await stat(run.path).catch(() => null);
  // Another start has just removed it.
  if (made === null) return null;
  const ageMs = nowMs - made.mtimeMs;
  const files: string[] = [];
  const remove = async (reason: string) => {
    await run.remove();
    return { action: 'removed', reason, files } as const;
  };
  try {
    if (ageMs < beginningMs && (await run.readOwner()) === null) return null;
    if (await run.isAlive()) return null;
    await removeTemporaryFiles(run.path);
    files.push(...(await takeBack(run)));
    const before = await run.readStatus();
    const after = await currentStatus(run);
    const asked = (await run.readOwner())?.client ?? null;
    // A browser is still to be told that its run was lost; on the terminal that was seen.
    if (asked === null && after?.error?.code === 'run-lost' && (await run.readRecordText()) === null) {
      return await remove('It was cut off before its first trial was done.');
    }
    if (before?.state !== after?.state) {
      const reason = 'Its process had ended before the comparison was finished.';
      return { action: 'marked-lost', reason, files };
    }
    if (after === null) return await remove('It never began.');
  } catch (error) {
    // What cannot be read cannot be put in order: it goes when it is old.
    if (!(error instanceof TowlineError && error.code === 'bad-record')) throw error;
  }
  if (ageMs > keepRunsMs) return await remove('Nobody has fetched it for 30 days.');
  return files.length > 0 ? { action: 'tidied', reason: 'It had left files elsewhere.', files } : null;
}

async function removeTemporaryFiles(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (isTemporaryFile(name)) await rm(join(directory, name), { force: true });
  }
}
