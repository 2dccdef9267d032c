import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { RunningLabSchema, type RunningLab } from '../../shared/messages/lab-status.ts';
import { identityOf, isRunning, ProcessIdentitySchema, type ProcessIdentity } from './process-identity.ts';
import { stateDirectory } from './state-directory.ts';
import { writeError } from './write-error.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

const EntrySchema = v.object({ lab: RunningLabSchema, owner: ProcessIdentitySchema });

/** A lab and the one process whose end ends it. */
export interface RegisteredLab {
  lab: RunningLab;
  owner: ProcessIdentity;
}

const ending = '.json';

function labsDirectory(root: string): string {
  return join(root, 'labs');
}

/**
 * Writes down a lab of this process, before it is made, so that it can be found and taken down.
 * @param root the person's own state directory by default
 * @returns takes the entry away again
 * @throws TowlineError as {@link writeFileAtomically} does
 */
export async function registerLab(
  lab: Pick<RunningLab, 'id' | 'kind' | 'url' | 'servers'>,
  root = stateDirectory(),
): Promise<() => Promise<void>> {
  const directory = labsDirectory(root);
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw writeError(directory, cause, 'lab');
  }
  const path = join(directory, `${lab.id}${ending}`);
  const owner = (await identityOf(process.pid)) ?? { pid: process.pid, startTicks: 0 };
  const known: RunningLab = {
    ...{ ...lab, pid: process.pid, user: userName() },
    startedAt: new Date().toISOString(),
  };
  await writeFileAtomically(path, `${JSON.stringify({ lab: known, owner })}\n`, {
    mode: 0o600,
    stage: 'lab',
  });
  return () => rm(path, { force: true });
}

/** The labs whose process runs, oldest first. Entries of dead ones, and what is no entry, are removed. */
export async function runningLabs(root = stateDirectory()): Promise<RegisteredLab[]> {
  const directory = labsDirectory(root);
  const names = await readdir(directory).catch(() => []);
  const found: RegisteredLab[] = [];
  for (const name of names.filter((each) => each.endsWith(ending))) {
    const path = join(directory, name);
    const entry = await readEntry(path);
    if (entry !== null && (await isRunning(entry.owner))) found.push(entry);
    else await rm(path, { force: true });
  }
  return found.toSorted((a, b) => a.lab.startedAt.localeCompare(b.lab.startedAt));
}

async function readEntry(path: string): Promise<RegisteredLab | null> {
  try {
    const entry = v.safeParse(EntrySchema, JSON.parse(await readFile(path, 'utf8')));
    return entry.success ? entry.output : null;
  } catch {
    return null;
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user without an entry in passwd(5), as in some containers.
    return String(process.getuid?.() ?? '');
  }
}
