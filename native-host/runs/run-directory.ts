import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { RunStatusSchema, type RunStatus } from '../../shared/messages/run-status.ts';
import { RecordSchema, type ComparisonRecord } from '../../shared/record/record.ts';
import { isFinished } from './is-finished.ts';
import { identityOf, isRunning, ProcessIdentitySchema } from './process-identity.ts';
import { runsDirectory } from './state-directory.ts';
import { writeError } from './write-error.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

/** Who measures a run, and for whom. */
const RunOwnerSchema = v.object({
  /** The process that measures. */
  ...ProcessIdentitySchema.entries,
  startedAt: v.string(),
  /** The browser that asked for the run and may fetch it; null for one of the command line. */
  client: v.nullable(v.string()),
});
export type RunOwner = v.InferOutput<typeof RunOwnerSchema>;

/**
 * What a run makes outside of this directory and of its capsule, with which the kernel takes all the rest away.
 * Written before any of it is made.
 */
const RunJournalSchema = v.object({
  /** Directory for profiles and other temporary files; null where the capsule has its own. */
  scratch: v.nullable(v.string()),
  /** By which the record that the person asked for is replaced; null where none was. */
  temporaryRecord: v.nullable(v.string()),
});
export type RunJournal = v.InferOutput<typeof RunJournalSchema>;

export interface CreateOptions {
  /** Holds the directories of all runs; the person's own by default. */
  root?: string;
  /** See {@link RunOwner}. */
  client?: string;
}

/** The same form that the messages allow: it becomes the name of a directory. */
const runIdForm = /^[A-Za-z0-9-]{1,64}$/;

/**
 * What a run tells of itself, in a directory of its own (mode 0700) that outlives every process:
 * `status.json`, `record.json`, `owner.json`, while it goes on `journal.json`, and, for a run without terminal,
 * `run.log`. Each but the last is replaced as a whole, so that a reader never sees half of one.
 *
 * The measuring process writes the record before the status that says the run has ended, and nothing after that
 * status: whoever sees the end may fetch the record and remove the directory.
 */
export class RunDirectory {
  readonly runId: string;
  readonly path: string;

  private constructor(runId: string, root: string) {
    this.runId = runId;
    this.path = join(root, runId);
  }

  /**
   * Makes the directory of a run that this process measures, or takes over the one that the native host made
   * for it when it started this process.
   *
   * @throws TowlineError `bad-argument` when the id is malformed or another run has it, and what
   *   {@link writeFileAtomically} throws
   */
  static async create(runId: string, options: CreateOptions = {}): Promise<RunDirectory> {
    const root = options.root ?? runsDirectory();
    if (!runIdForm.test(runId)) {
      throw new TowlineError('bad-argument', 'arguments', `"${runId}" cannot be the id of a run.`, {
        remedy: 'Use 1 to 64 letters, digits and hyphens, or leave --run-id out.',
      });
    }
    const run = new RunDirectory(runId, root);
    const reserved = await run.#reservation();
    try {
      await mkdir(run.path, { recursive: true, mode: 0o700 });
    } catch (cause) {
      throw writeError(run.path, cause, 'comparison');
    }
    await run.writeOwner(process.pid, options.client ?? reserved?.client ?? null);
    return run;
  }

  /** @throws TowlineError `unknown-run` when there is no such run */
  static async open(runId: string, root = runsDirectory()): Promise<RunDirectory> {
    const known = runIdForm.test(runId) && (await namesIn(root)).includes(runId);
    if (known) return new RunDirectory(runId, root);
    throw new TowlineError('unknown-run', 'messaging', `There is no run ${runId}.`, {
      remedy: 'It was released or cleaned away; ask for the status to see the runs that are there.',
    });
  }

  /** All runs there are, in no particular order; none when there is no directory of runs yet. */
  static async list(root = runsDirectory()): Promise<RunDirectory[]> {
    return (await namesIn(root))
      .filter((name) => runIdForm.test(name))
      .map((runId) => new RunDirectory(runId, root));
  }

  /** Where a run without terminal writes what it would have printed. */
  get logPath(): string {
    return join(this.path, 'run.log');
  }

  async writeStatus(status: RunStatus): Promise<void> {
    await this.#write('status.json', status);
  }

  async writeRecord(record: ComparisonRecord): Promise<void> {
    await this.#write('record.json', record);
  }

  /** Names the process that measures. One that has ended already counts as dead from the start. */
  async writeOwner(pid: number, client: string | null): Promise<void> {
    const startTicks = (await identityOf(pid))?.startTicks ?? 0;
    const owner: RunOwner = { pid, startTicks, startedAt: new Date().toISOString(), client };
    await this.#write('owner.json', owner);
  }

  async writeJournal(journal: RunJournal): Promise<void> {
    await this.#write('journal.json', journal);
  }

  /** Says that nothing of what the journal names is there any more. */
  async removeJournal(): Promise<void> {
    await rm(join(this.path, 'journal.json'), { force: true });
  }

  /** @returns null when there is nothing to take back. @throws TowlineError `bad-record` when it is damaged */
  async readJournal(): Promise<RunJournal | null> {
    return this.#read('journal.json', RunJournalSchema);
  }

  /** @returns null when none was written yet. @throws TowlineError `bad-record` when it is damaged */
  async readStatus(): Promise<RunStatus | null> {
    return this.#read('status.json', RunStatusSchema);
  }

  /** @returns null when none was written yet. @throws TowlineError `bad-record` when it is damaged */
  async readRecord(): Promise<ComparisonRecord | null> {
    return this.#read('record.json', RecordSchema);
  }

  /** @returns null when none was written yet. @throws TowlineError `bad-record` when it is damaged */
  async readOwner(): Promise<RunOwner | null> {
    return this.#read('owner.json', RunOwnerSchema);
  }

  /** The record as it lies there, unchecked: for passing on. Null when none was written yet. */
  async readRecordText(): Promise<string | null> {
    return readIfThere(join(this.path, 'record.json'));
  }

  /** Whether the process that measures still runs. */
  async isAlive(): Promise<boolean> {
    const owner = await this.readOwner();
    return owner !== null && (await isRunning(owner));
  }

  /** Removes the directory with all in it. Does nothing when it is gone already. */
  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }

  /** What is there under this id, if it may be taken over. */
  async #reservation(): Promise<RunOwner | null> {
    const owner = await this.readOwner();
    if (owner === null) return null;
    const status = await this.readStatus();
    const ours = owner.pid === process.pid || owner.pid === process.ppid;
    if ((status && isFinished(status)) || (!ours && (await isRunning(owner)))) {
      throw new TowlineError('bad-argument', 'arguments', `Another run has the id ${this.runId}.`, {
        remedy: 'Leave --run-id out, or give another.',
      });
    }
    return owner;
  }

  async #write(name: string, content: unknown): Promise<void> {
    await writeFileAtomically(join(this.path, name), `${JSON.stringify(content)}\n`, {
      mode: 0o600,
      stage: 'comparison',
    });
  }

  async #read<Schema extends v.GenericSchema>(
    name: string,
    schema: Schema,
  ): Promise<v.InferOutput<Schema> | null> {
    const path = join(this.path, name);
    const text = await readIfThere(path);
    if (text === null) return null;
    try {
      return v.parse(schema, JSON.parse(text));
    } catch (cause) {
      throw new TowlineError('bad-record', 'record', `${path} is damaged.`, {
        remedy: `Remove the directory ${this.path} if its run is of no more use.`,
        cause,
      });
    }
  }
}

/** Null where there is no such file. */
async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** None where there is no such directory. */
async function namesIn(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
