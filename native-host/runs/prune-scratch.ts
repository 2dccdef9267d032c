import type { Stats } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** As {@link scratchName} gives it. */
const scratchForm = /^towline-[A-Za-z0-9]{1,16}$/;

/**
 * Name of a run's directory for temporary files, after the run. On the host's own network it lies in the temporary
 * directory; all other runs have it inside their capsule, with which it vanishes.
 */
export function scratchName(runId: string): string {
  return `towline-${runId.replaceAll('-', '').slice(0, 16)}`;
}

/** A live run makes a profile in its directory for every trial: one untouched for so long is dead, ms. */
const untouchedMs = 24 * 60 * 60 * 1000;

/**
 * Removes a run's directory for temporary files. Anybody may put anything into a shared directory: only a directory
 * of this user's own is touched, and no link is followed. A browser that is just ending may write on for a moment.
 *
 * @returns whether there was one
 */
export async function removeScratch(path: string): Promise<boolean> {
  const entry = await lstat(path).catch(() => null);
  if (entry === null || !scratchForm.test(basename(path)) || !isOwnDirectory(entry)) return false;
  await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  return true;
}

function isOwnDirectory(entry: Stats): boolean {
  return entry.isDirectory() && entry.uid === process.getuid?.();
}

/**
 * Removes the temporary directories of runs of this user that no journal knows, since their state directory is gone.
 *
 * @param nowMs the time, ms since 1970
 * @returns the directories removed
 */
export async function pruneScratch(nowMs: number, directory = tmpdir()): Promise<string[]> {
  const removed: string[] = [];
  for (const name of await readdir(directory)) {
    if (!scratchForm.test(name)) continue;
    const path = join(directory, name);
    const { mtimeMs } = await lstat(path);
    if (nowMs - mtimeMs >= untouchedMs && (await removeScratch(path))) removed.push(path);
  }
  return removed;
}
