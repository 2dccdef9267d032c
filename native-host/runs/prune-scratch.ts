import { lstat, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The temporary directories of runs on the host's own network, as `mkdtemp` names them. All other runs have
 * theirs inside their capsule, with which it vanishes.
 */
const scratchName = /^towline-[A-Za-z0-9]{6,8}$/;

/** A live run makes a profile in its directory for every trial: one untouched for so long is dead, ms. */
const untouchedMs = 24 * 60 * 60 * 1000;

/**
 * Removes the temporary directories that killed runs of this user have left.
 *
 * @param nowMs the time, ms since 1970
 * @returns the directories removed
 */
export async function pruneScratch(nowMs: number, directory = tmpdir()): Promise<string[]> {
  const removed: string[] = [];
  for (const name of await readdir(directory)) {
    if (!scratchName.test(name)) continue;
    const path = join(directory, name);
    const entry = await lstat(path);
    // Anybody may put anything into a shared directory: only a directory of this user's own is touched.
    const own = entry.isDirectory() && entry.uid === process.getuid?.();
    if (!own || nowMs - entry.mtimeMs < untouchedMs) continue;
    await rm(path, { recursive: true, force: true });
    removed.push(path);
  }
  return removed;
}
