/**
 * Entry of the measuring engine: runs inside a capsule, takes one comparison from standard input, tells
 * everything on standard output, and ends when its owner is gone.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { Engine } from './comparison/engine.ts';
import { EngineCommandSchema, type EngineEvent } from './comparison/engine-protocol.ts';
import { readJsonLines, writeJsonLine } from './comparison/json-lines.ts';
import { enterCapsule, stayOutside } from './network/enter-capsule.ts';

const tell = (event: EngineEvent): void => {
  writeJsonLine(process.stdout, event);
};

let engine: Engine | null = null;
let running: Promise<void> | null = null;
let toRemove: string | null = null;
for await (const line of readJsonLines(process.stdin)) {
  const command = v.parse(EngineCommandSchema, line);
  if (command.type === 'cancel') engine?.cancel(command.error);
  else {
    const { network, scratch } = command.request;
    if (network.kind === 'none') toRemove = scratch;
    const capsule = network.kind === 'none' ? await stayOutside(scratch) : await enterCapsule(scratch);
    engine = new Engine({ workerFile: join(import.meta.dirname, 'trial-worker.js'), capsule, tell });
    // Not awaited: a cancel must be heard while the comparison runs.
    running = engine.run(command.request);
  }
}
// The owner has closed standard input: it has what it wants, or is gone. The capsule goes with this process.
engine?.cancel(null);
await running;
if (toRemove !== null) {
  await rm(toRemove, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
process.exit();
