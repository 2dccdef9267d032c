/**
 * Entry of the trial worker: one process per trial, inside the trial's namespaces. Takes its request and the
 * word to go from standard input, says what it saw on standard output, and ends when standard input does:
 * when the engine is done with it, or is gone.
 */
import * as v from 'valibot';
import { reportOf } from '../shared/errors/towline-error.ts';
import type { OwnAnswer, OwnCall } from '../shared/messages/own-browser.ts';
import type { ManagedBrowser } from './browser/managed-browser.ts';
import { ownBrowser } from './browser/own-browser.ts';
import { readJsonLines, writeJsonLine } from './comparison/json-lines.ts';
import { ReadyTrial } from './comparison/observe-trial.ts';
import type { TrialRequest } from './comparison/trial-request.ts';
import { WorkerCommandSchema, type WorkerMessage } from './comparison/trial-observation.ts';
import { askOwnBrowser } from './runs/ask-own-browser.ts';

const say = (message: WorkerMessage): void => {
  writeJsonLine(process.stdout, message);
};

let trial: ReadyTrial | null = null;

/** In the person's own browser nothing is started: it is asked. Undefined where one is to be started. */
function startIn({ browser, arm, http3Origins }: TrialRequest): (() => Promise<ManagedBrowser>) | undefined {
  const { own } = browser;
  if (own === null) return undefined;
  const ask = (call: OwnCall, timeoutMs: number): Promise<OwnAnswer> =>
    askOwnBrowser(own.directory, own.pid, call, timeoutMs);
  return () => Promise.resolve(ownBrowser({ version: own.version, arm, http3Origins, ask }));
}

async function obey(line: unknown): Promise<void> {
  const command = v.parse(WorkerCommandSchema, line);
  if (command.type === 'prepare') {
    trial = await ReadyTrial.prepare(command.request, startIn(command.request));
    say({ type: 'ready' });
  } else if (trial !== null) {
    const observation = await trial.observe(() => {
      say({ type: 'loaded' });
    });
    say({ type: 'observed', observation });
  }
}

for await (const line of readJsonLines(process.stdin)) {
  // Not awaited: the end of standard input must be seen in the middle of a load too.
  obey(line).catch((error: unknown) => {
    say({ type: 'failed', error: reportOf(error, 'trial') });
  });
}
await (trial as ReadyTrial | null)?.close();
process.exit();
