import { readFile } from 'node:fs/promises';
import * as v from 'valibot';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/**
 * One process and no other: a pid is used again after its process has ended, a pid with the time of its start
 * is not.
 */
export const ProcessIdentitySchema = v.object({
  pid: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** Start of the process, clock ticks since the machine's own start: field 22 of /proc/PID/stat, proc(5). */
  startTicks: count,
});
export type ProcessIdentity = v.InferOutput<typeof ProcessIdentitySchema>;

/** Field numbers of proc(5), counted from the one after the program's name, which is field 2. */
const stateField = 3 - 3;
const startTicksField = 22 - 3;

/**
 * Reads a line of /proc/PID/stat. The program's name stands in parentheses and may itself hold spaces and
 * parentheses, so that the fields are counted from the last one.
 *
 * @returns null for a process that has ended and is only waiting to be reaped, and for text that is no such line
 */
export function startTicksIn(stat: string): number | null {
  const fields = stat
    .slice(stat.lastIndexOf(')') + 1)
    .trim()
    .split(/\s+/);
  const state = fields[stateField];
  const ticks = Number(fields[startTicksField]);
  if (state === 'Z' || state === 'X') return null;
  return Number.isSafeInteger(ticks) ? ticks : null;
}

/** The process that has this pid now; null when there is none. */
export async function identityOf(pid: number): Promise<ProcessIdentity | null> {
  let stat: string;
  try {
    stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  const startTicks = startTicksIn(stat);
  return startTicks === null ? null : { pid, startTicks };
}

/** Whether that very process still runs. */
export async function isRunning(process: ProcessIdentity): Promise<boolean> {
  return (await identityOf(process.pid))?.startTicks === process.startTicks;
}
