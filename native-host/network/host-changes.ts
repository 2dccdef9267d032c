import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { holdBlock } from './address-block.ts';
import { holdName, type HeldName } from './held-name.ts';

/** A kernel setting of the host that a run has changed: its file below /proc/sys, and what it held before. */
export interface ChangedSetting {
  path: string;
  before: string;
}

/** What one run has changed. */
interface Journal {
  runId: string;
  changed: ChangedSetting[];
}

/**
 * Where runs on the `root` path write down what they are about to change on the host, before they do: one file a
 * run, named after its block. It is the only path that changes anything outside its capsule.
 */
const journalDirectory = '/var/lib/towline/network';

function journalFile(block: number): string {
  return join(journalDirectory, `${block}.json`);
}

/**
 * Sets kernel settings of the host for the time of a run.
 * @param block of addresses that the run holds
 * @param wanted value by path below /proc/sys; those that hold it already are left alone
 * @returns what {@link undoHostChanges} will put back
 */
export async function changeHost(
  runId: string,
  block: number,
  wanted: Readonly<Record<string, string>>,
): Promise<void> {
  await alone(async () => {
    const known = await changesBesides(null);
    const changed: ChangedSetting[] = [];
    for (const [path, value] of Object.entries(wanted)) {
      const now = (await readFile(path, 'utf8')).trim();
      // What another run has set already was something else before: both must know, since either may end last.
      const before = known.find((setting) => setting.path === path)?.before ?? now;
      if (before !== value) changed.push({ path, before });
    }
    await mkdir(journalDirectory, { recursive: true, mode: 0o755 });
    await writeFile(journalFile(block), JSON.stringify({ runId, changed } satisfies Journal));
    for (const { path } of changed) await writeFile(path, wanted[path] ?? '');
  });
}

/** Takes back what a run has changed on the host, but for what another run that lives still needs. */
export async function undoHostChanges(block: number): Promise<void> {
  // A dead run's journal would else keep what this one has changed too.
  await cleanUpDeadRuns();
  await takeBack(block);
}

async function takeBack(block: number): Promise<void> {
  await alone(async () => {
    const own = await readJournal(block);
    const needed = new Set((await changesBesides(block)).map(({ path }) => path));
    for (const { path, before } of own?.changed ?? []) {
      // The interface may have gone, and its settings with it.
      if (!needed.has(path)) await writeFile(path, before).catch(() => undefined);
    }
    await rm(journalFile(block), { force: true });
  });
}

/** A turn takes milliseconds; whoever waits for longer waits for a process that was stopped in the middle. */
const turnTimeoutMs = 10_000;

/** One at a time, of all runs on this host: else one would take back what the other has just found to be in force. */
async function alone(act: () => Promise<void>): Promise<void> {
  const deadlineMs = performance.now() + turnTimeoutMs;
  let turn: HeldName | null;
  while ((turn = await holdName('host-changes')) === null) {
    if (performance.now() > deadlineMs) {
      throw new TowlineError(
        'namespace-unavailable',
        'network',
        'Another run holds the journal of this host.',
        {
          remedy: 'End it, or use --network none.',
        },
      );
    }
    await delay(10);
  }
  try {
    await act();
  } finally {
    await turn.release();
  }
}

/**
 * Takes back what runs have left that died. Those that live are known by their lock and not touched.
 * @returns the blocks whose runs were cleaned up
 */
export async function cleanUpDeadRuns(): Promise<number[]> {
  const cleaned: number[] = [];
  for (const block of await journalledBlocks()) {
    const held = await holdBlock(block);
    if (held === null) continue;
    try {
      await takeBack(block);
      cleaned.push(block);
    } finally {
      await held.release();
    }
  }
  return cleaned;
}

async function journalledBlocks(): Promise<number[]> {
  const names = await readdir(journalDirectory).catch(() => []);
  return names.flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? []).map(Number);
}

/** Whether a run has changes on the host that nobody has taken back yet. */
export async function hasHostChanges(runId: string): Promise<boolean> {
  const journals = await Promise.all((await journalledBlocks()).map((block) => readJournal(block)));
  return journals.some((journal) => journal?.runId === runId);
}

/** What all journals know, but for that of one block. */
async function changesBesides(block: number | null): Promise<ChangedSetting[]> {
  const others = (await journalledBlocks()).filter((each) => each !== block);
  const journals = await Promise.all(others.map((each) => readJournal(each)));
  return journals.flatMap((journal) => journal?.changed ?? []);
}

/** @returns null for a journal that is missing or was cut off while it was written: nothing was changed yet */
async function readJournal(block: number): Promise<Journal | null> {
  try {
    const { runId, changed } = JSON.parse(await readFile(journalFile(block), 'utf8')) as Partial<
      Record<keyof Journal, unknown>
    >;
    if (typeof runId !== 'string' || !Array.isArray(changed)) return null;
    return { runId, changed: changed.filter(isChangedSetting) };
  } catch {
    return null;
  }
}

/** Only settings of interfaces: a file that somebody else wrote must not make root write elsewhere. */
function isChangedSetting(value: unknown): value is ChangedSetting {
  if (typeof value !== 'object' || value === null) return false;
  const { path, before } = value as Partial<Record<keyof ChangedSetting, unknown>>;
  return (
    typeof path === 'string' &&
    /^\/proc\/sys\/net\/ipv[46]\/conf\/[^/]+\/(force_)?forwarding$/.test(path) &&
    typeof before === 'string' &&
    /^[01]$/.test(before)
  );
}
