/**
 * Entry of the guardian of one run: outside its capsule, in a session of its own, so that what ends the run does not
 * end it too. Standard input closes when the run's owner ends, however that ends; the guardian then waits for the
 * engine's end and takes back what the kernel does not: settings of the host, and temporary files outside a capsule.
 *
 * Arguments: the run's id, the engine's process id.
 */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { cleanUp } from './commands/clean-up.ts';
import { hasHostChanges } from './network/host-changes.ts';
import { identityOf, isRunning } from './runs/process-identity.ts';

/** The engine ends within milliseconds of its owner; one that does not is stuck, and the next start cleans up. */
const patienceMs = 30_000;
const lookEveryMs = 50;

const [runId = '', enginePid = '0'] = process.argv.slice(2);
const engine = await identityOf(Number(enginePid));
process.stdin.resume();
await once(process.stdin, 'end');

const isRoot = process.getuid?.() === 0;
const deadlineMs = performance.now() + patienceMs;
while (engine !== null && (await isRunning(engine)) && performance.now() < deadlineMs)
  await delay(lookEveryMs);
do {
  await cleanUp(isRoot);
  if (!isRoot || !(await hasHostChanges(runId))) break;
  // The engine's process is gone, but the kernel still takes its namespaces down, and with them its lock.
  await delay(lookEveryMs);
} while (performance.now() < deadlineMs);
