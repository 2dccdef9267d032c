import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { holdBlock } from './address-block.ts';

/** A kernel setting of the host that a run has changed: its file below /proc/sys, and what it held before. */
export interface ChangedSetting {
  path: string;
  before: string;
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
 * @param wanted value by path below /proc/sys; those that hold it already are left alone
 * @returns what {@link undoHostChanges} will put back
 */
export async function changeHost(block: number, wanted: Readonly<Record<string, string>>): Promise<void> {
  const others = await otherJournals(block);
  const changed: ChangedSetting[] = [];
  for (const [path, value] of Object.entries(wanted)) {
    const now = (await readFile(path, 'utf8')).trim();
    // What another run has set already was something else before: both must know, since either may end last.
    const before = others.flat().find((setting) => setting.path === path)?.before ?? now;
    if (before !== value) changed.push({ path, before });
  }
  await mkdir(journalDirectory, { recursive: true, mode: 0o755 });
  await writeFile(journalFile(block), JSON.stringify(changed));
  for (const { path } of changed) await writeFile(path, wanted[path] ?? '');
}

/** Takes back what a run has changed on the host, but for what another run still needs. */
export async function undoHostChanges(block: number): Promise<void> {
  const own = await readJournal(block);
  const needed = new Set((await otherJournals(block)).flat().map(({ path }) => path));
  for (const { path, before } of own) {
    // The interface may have gone, and its settings with it.
    if (!needed.has(path)) await writeFile(path, before).catch(() => undefined);
  }
  await rm(journalFile(block), { force: true });
}

/**
 * Takes back what runs have left that died. Those that live are known by their lock and not touched.
 * @returns the blocks that were cleaned up
 */
export async function cleanUpDeadRuns(): Promise<number[]> {
  const cleaned: number[] = [];
  for (const block of await journalledBlocks()) {
    const held = await holdBlock(block);
    if (held === null) continue;
    try {
      await undoHostChanges(block);
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

async function otherJournals(block: number): Promise<ChangedSetting[][]> {
  const others = (await journalledBlocks()).filter((each) => each !== block);
  return Promise.all(others.map((each) => readJournal(each)));
}

/** @returns an empty list for a journal that is missing or was cut off while it was written: nothing was changed yet */
async function readJournal(block: number): Promise<ChangedSetting[]> {
  try {
    return (JSON.parse(await readFile(journalFile(block), 'utf8')) as unknown[]).filter(isChangedSetting);
  } catch {
    return [];
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
