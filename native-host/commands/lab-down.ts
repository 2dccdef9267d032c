import { setTimeout as delay } from 'node:timers/promises';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import type { LabDown } from '../../shared/messages/lab-status.ts';
import { runningLabs, type RegisteredLab } from '../runs/lab-registry.ts';
import { isRunning } from '../runs/process-identity.ts';

export interface LabDownOptions {
  all?: boolean;
  json?: boolean;
}

/** A comparison that is told to stop ends its trial's namespaces and writes its record first. */
const patienceMs = 15_000;
/** A process that was killed is gone as soon as the kernel comes to it, and its capsule with it. */
const killedPatienceMs = 5_000;
const lookEveryMs = 50;

/**
 * Ends labs of this user: politely first, so that a comparison keeps what it measured.
 * @param id one lab's; null with `--all`, or where only one runs
 * @returns the exit status: 1 where one could not be ended
 * @throws TowlineError `bad-argument` where it is not clear which is meant
 */
export async function takeLabsDown(
  id: string | null,
  { all, json }: LabDownOptions,
  print: (line: string) => void,
): Promise<number> {
  const labs = chosen(await runningLabs(), id, all === true);
  const ended = await Promise.all(labs.map(async (lab) => ({ ...lab, gone: await end(lab) })));
  const named = (gone: boolean) => ended.filter((one) => one.gone === gone).map(({ lab }) => lab);
  const told: LabDown = { down: named(true), left: named(false) };
  if (json === true) print(JSON.stringify(told, null, 2));
  else {
    if (labs.length === 0) print('No lab of yours runs.');
    for (const lab of told.down) print(`Down: ${lab.id}  ${lab.url}`);
    for (const lab of told.left) print(`Still there: ${lab.id}, process ${lab.pid}, did not end.`);
  }
  return told.left.length === 0 ? 0 : 1;
}

function chosen(
  running: readonly RegisteredLab[],
  id: string | null,
  all: boolean,
): readonly RegisteredLab[] {
  if (id === null) {
    if (all || running.length < 2) return running;
    throw new TowlineError('bad-argument', 'arguments', `${running.length} labs of yours run.`, {
      remedy: `Say which: ${running.map(({ lab }) => lab.id).join(', ')}; or --all.`,
    });
  }
  const found = running.filter(({ lab }) => lab.id === id);
  if (found.length > 0) return found;
  throw new TowlineError('bad-argument', 'arguments', `No lab of yours has the id ${id}.`, {
    remedy: 'towline lab status',
  });
}

/** @returns whether its process is gone */
async function end({ owner }: RegisteredLab): Promise<boolean> {
  for (const [signal, withinMs] of [
    ['SIGTERM', patienceMs],
    ['SIGKILL', killedPatienceMs],
  ] as const) {
    if (!(await isRunning(owner))) return true;
    try {
      process.kill(owner.pid, signal);
    } catch {
      // It has ended in between, which the next look shows.
    }
    const deadline = performance.now() + withinMs;
    while (performance.now() < deadline) {
      if (!(await isRunning(owner))) return true;
      await delay(lookEveryMs);
    }
  }
  return !(await isRunning(owner));
}
