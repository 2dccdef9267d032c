import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Stage } from '../../shared/errors/towline-error.ts';
import { writeError } from './write-error.ts';

/** Name of the file that is written before it takes its place; what a crash leaves of it is known by this. */
const temporaryName = /^\..+\.[0-9a-f-]{36}\.tmp$/;

/** Whether a file is what a crash left of {@link writeFileAtomically}. */
export function isTemporaryFile(name: string): boolean {
  return temporaryName.test(name);
}

/**
 * The temporary file by which a path is replaced.
 * @param mark tells writers of the same path apart
 */
export function temporaryFileOf(path: string, mark: string): string {
  return join(dirname(path), `.${basename(path)}.${mark}.tmp`);
}

export interface AtomicWriteOptions {
  /** Permission bits of the new file, before the umask; 0666 when left out. */
  mode?: number;
  /** Named in the error; `record` when left out. */
  stage?: Stage;
  /** See {@link temporaryFileOf}; a new one for every write when left out. */
  mark?: string;
}

/**
 * Replaces a file so that a reader sees the old text or the new one, never a part: a temporary file in the same
 * directory, flushed to the disk, then renamed over it. When this fails the previous file stays as it was.
 *
 * @throws TowlineError `disk-full`, `permission-denied` or `write-failed`
 */
export async function writeFileAtomically(
  path: string,
  text: string,
  { mode = 0o666, stage = 'record', mark = randomUUID() }: AtomicWriteOptions = {},
): Promise<void> {
  const temporary = temporaryFileOf(path, mark);
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(text);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw writeError(path, cause, stage);
  }
}
