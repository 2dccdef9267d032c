/**
 * A native host that measures nothing: the real port over the real frames, but its one run is what the test
 * has written into the directory that is its first argument. So the run outlives the host, as a real one does. The
 * packets it watches, when it is asked to, are real.
 *
 * `status.json` and `record.json` are written by the test; `asked.json` by the host: what was asked of the run.
 */
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { FrameReader } from '../../native-host/messaging/frame-codec.ts';
import { FrameWriter } from '../../native-host/messaging/frame-writer.ts';
import { openPacketSource } from '../../native-host/capture/open-packet-source.ts';
import { HostPort } from '../../native-host/messaging/host-port.ts';
import type { HostRuns } from '../../native-host/messaging/host-runs.ts';
import { WireWatch } from '../../native-host/watching/wire-watch.ts';
import { RunStatusSchema, type RunStatus } from '../../shared/messages/run-status.ts';

const lookEveryMs = 50;
const directory = process.argv[2] ?? '.';
const statusFile = join(directory, 'status.json');
const browser = new FrameWriter(process.stdout);

const log = (deed: object): Promise<void> =>
  appendFile(join(directory, 'asked.json'), `${JSON.stringify(deed)}\n`);

function readStatus(): { text: string; run: RunStatus } | null {
  if (!existsSync(statusFile)) return null;
  const text = readFileSync(statusFile, 'utf8');
  return { text, run: v.parse(RunStatusSchema, JSON.parse(text)) };
}

let told = readStatus()?.text;
const looking = setInterval(() => {
  const status = readStatus();
  if (!status || status.text === told) return;
  told = status.text;
  void browser.send({ type: 'run', run: status.run });
}, lookEveryMs);

const runs: HostRuns = {
  async start(request) {
    await log(request);
    // The test reads what was asked and lays the run down.
    for (;;) {
      const status = readStatus();
      if (status) return status.run;
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
  },
  list: () => Promise.resolve([readStatus()?.run].filter((run) => run !== undefined)),
  cancel: (runId) => log({ type: 'cancel', runId }),
  recordText: () => readFile(join(directory, 'record.json'), 'utf8'),
  async release(runId) {
    await rm(statusFile);
    await log({ type: 'release', runId });
  },
  answerOwnCall: (runId, callId) => log({ type: 'own-answer', runId, callId }),
  watch: () => Promise.resolve(),
};

/** Real: of the loopback, on which tests' pages are served. */
const watch = new WireWatch({
  findInterface: () => Promise.resolve('lo'),
  openSource: openPacketSource,
});

const port = new HostPort({
  runs,
  windows: { open: log },
  relay: {
    start: () => Promise.reject(new Error('No test asks for a relay.')),
    stop: () => Promise.resolve(),
  },
  watch,
  hostVersion: '0.0.0',
  send: (message) => browser.send(message),
  log: () => undefined,
});
const frames = new FrameReader();
for await (const bytes of process.stdin) {
  for (const frame of frames.push(bytes as Buffer)) await port.receive(frame);
}
await watch.stop();
clearInterval(looking);
