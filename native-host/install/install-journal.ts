import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import type { Places } from './places.ts';

/** All that `towline install` has made, in order: what `towline uninstall` takes away, and nothing else. */
const JournalSchema = v.object({ directories: v.array(v.string()), files: v.array(v.string()) });
export type Journal = v.InferOutput<typeof JournalSchema>;

/** Replaces a file as a whole, or leaves it as it was. */
export type WriteFile = (path: string, text: string, options: { mode: number }) => Promise<void>;

function journalPath({ data }: Places): string {
  return join(data, 'installed.json');
}

/** Empty where nothing is installed, and where the journal cannot be read. */
export async function readJournal(places: Places): Promise<Journal> {
  try {
    return v.parse(JournalSchema, JSON.parse(await readFile(journalPath(places), 'utf8')));
  } catch {
    return { directories: [], files: [] };
  }
}

/** Written before what it names is made, so that nothing is made that is not named. */
export async function writeJournal(places: Places, journal: Journal, writeFile: WriteFile): Promise<void> {
  const path = journalPath(places);
  if (journal.files.length === 0) {
    await rm(path, { force: true });
    return;
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, `${JSON.stringify(journal, null, 2)}\n`, { mode: 0o600 });
}
