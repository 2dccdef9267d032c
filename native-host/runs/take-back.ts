import { rm, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { removeScratch } from './prune-scratch.ts';
import type { RunDirectory } from './run-directory.ts';

/**
 * Helper processes of a browser that was killed outlive it by a moment, and at their end they write down their state,
 * for which they make the directory anew. Once it has stayed away for so long, none of them is left.
 */
const settledMs = 2_000;
const patienceMs = 20_000;
const lookEveryMs = 50;

/**
 * Takes back what a run has made outside of its directory and capsule, by its journal. For a run that has ended.
 * @returns the files and directories removed
 */
export async function takeBack(run: RunDirectory): Promise<string[]> {
  const journal = await run.readJournal();
  if (journal === null) return [];
  const removed: string[] = [];
  const { scratch, temporaryRecord } = journal;
  if (scratch !== null && (await removeForGood(scratch))) removed.push(scratch);
  if (temporaryRecord !== null && (await isFile(temporaryRecord))) {
    await rm(temporaryRecord, { force: true });
    removed.push(temporaryRecord);
  }
  await run.removeJournal();
  return removed;
}

/** @returns whether it was there */
async function removeForGood(scratch: string): Promise<boolean> {
  if (!(await removeScratch(scratch))) return false;
  let goneMs = performance.now();
  const deadlineMs = goneMs + patienceMs;
  while (performance.now() - goneMs < settledMs && performance.now() < deadlineMs) {
    await delay(lookEveryMs);
    if (await removeScratch(scratch)) goneMs = performance.now();
  }
  return true;
}

async function isFile(path: string): Promise<boolean> {
  const entry = await stat(path).catch(() => null);
  return entry?.isFile() === true;
}
