import { rm, stat } from 'node:fs/promises';
import { removeScratch } from './prune-scratch.ts';
import type { RunDirectory } from './run-directory.ts';

/**
 * Takes back what a run has made outside of its directory and capsule, by its journal. For a run that has ended.
 * @returns the files and directories removed
 */
export async function takeBack(run: RunDirectory): Promise<string[]> {
  const journal = await run.readJournal();
  if (journal === null) return [];
  const removed: string[] = [];
  const { scratch, temporaryRecord } = journal;
  if (scratch !== null && (await removeScratch(scratch))) removed.push(scratch);
  if (temporaryRecord !== null && (await isFile(temporaryRecord))) {
    await rm(temporaryRecord, { force: true });
    removed.push(temporaryRecord);
  }
  await run.removeJournal();
  return removed;
}

async function isFile(path: string): Promise<boolean> {
  const entry = await stat(path).catch(() => null);
  return entry?.isFile() === true;
}
