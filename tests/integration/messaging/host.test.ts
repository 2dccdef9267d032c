import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { protocolVersion } from '../../../shared/messages/host-protocol.ts';
import { buildHost } from './build-host.ts';
import { frame, header, hello, HostProcess } from './host-process.ts';

let scratch: string;
let mainFile: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'towline-host-'));
  mainFile = await buildHost(scratch);
});
afterAll(async () => {
  await rm(scratch, { recursive: true, force: true });
});

async function stateHome(): Promise<string> {
  return mkdtemp(join(scratch, 'state-'));
}

/** A host that ends with the test. */
function start(state: string): HostProcess {
  const host = new HostProcess(mainFile, state);
  onTestFinished(() => host.kill());
  return host;
}

const compare = {
  type: 'compare',
  requestId: 'compare',
  url: 'https://example.org/',
  arms: ['h1', 'h2'],
  rounds: 3,
  gapMs: 0,
  shape: null,
};

test('frames are understood in whatever pieces they come, and the host ends with its port', async () => {
  const host = start(await stateHome());
  const bytes = Buffer.concat([frame(hello), frame({ type: 'status', requestId: 'a' }), frame(hello)]);
  for (const byte of bytes.subarray(0, 40)) await host.write(Buffer.from([byte]));
  await host.write(bytes.subarray(40));
  expect(await host.next()).toEqual({
    type: 'hello',
    requestId: 'hello',
    protocolVersion,
    hostVersion: (JSON.parse(await readFile(join(scratch, 'package.json'), 'utf8')) as { version: string })
      .version,
  });
  expect(await host.next()).toEqual({ type: 'runs', requestId: 'a', runs: [] });
  expect(await host.next()).toMatchObject({ type: 'hello' });
  expect(await host.close()).toBe(0);
});

test('nothing that is sent ends the conversation', async () => {
  const host = start(await stateHome());
  await host.ask(hello);
  const refused = async (message: unknown): Promise<string> => {
    const answer = await host.ask(message);
    return answer.type === 'error' ? answer.error.code : answer.type;
  };
  expect(await refused(Buffer.from('\u0000\u0001 nonsense'))).toBe('bad-message');
  expect(await refused(Buffer.alloc(0))).toBe('bad-message');
  expect(await refused(Buffer.alloc(1024 * 1024, '['))).toBe('bad-message');
  expect(await refused(Buffer.alloc(3 * 1024 * 1024, 'x'))).toBe('message-too-large');
  expect(await refused({ ...compare, url: 'file:///etc/passwd' })).toBe('bad-url');
  expect(await refused({ ...compare, arms: ['$(reboot)'] })).toBe('bad-message');
  expect(await refused({ type: 'release', requestId: 'r', runId: '..' })).toBe('bad-message');
  expect(await refused({ type: 'release', requestId: 'r', runId: 'no-such-run' })).toBe('unknown-run');
  expect(await refused({ type: 'status', requestId: 's' })).toBe('runs');
});

test('a port that closes in the middle of a message is an end like any other', async () => {
  const host = start(await stateHome());
  await host.write(Buffer.concat([frame(hello), header(1000), Buffer.from('{"type":')]));
  expect(await host.next()).toMatchObject({ type: 'hello' });
  expect(await host.close()).toBe(0);
});

test('a run outlives its host, and the next host finds it, follows it and hands it over', async () => {
  const state = await stateHome();
  const first = start(state);
  await first.ask(hello);
  const accepted = await first.ask(compare);
  if (accepted.type !== 'accepted') throw new Error(`The host answered ${accepted.type}.`);
  const { runId } = accepted.run;
  await first.until('run', ({ run }) => run.state === 'running');
  expect(await first.ask({ ...compare, requestId: 'again' })).toMatchObject({
    requestId: 'again',
    error: { code: 'host-busy' },
  });
  await first.kill();

  const second = start(state);
  await second.ask(hello);
  await second.write(frame({ type: 'status', requestId: 'status' }));
  const { runs } = await second.until('runs');
  expect(runs).toMatchObject([{ runId, state: 'running', url: compare.url }]);

  const directory = join(state, 'towline', 'runs', runId);
  await writeFile(join(directory, 'finish'), '');
  await second.until('run', ({ run }) => run.runId === runId && run.state === 'complete');

  await second.write(frame({ type: 'fetch-record', requestId: 'fetch', runId }));
  const pieces: string[] = [];
  for (let total = 1; pieces.length < total;) {
    const chunk = await second.until('record-chunk');
    expect(chunk.index).toBe(pieces.length);
    pieces.push(chunk.text);
    total = chunk.total;
  }
  expect(pieces.length).toBeGreaterThan(1);
  const record = JSON.parse(pieces.join('')) as { args: string[]; text: string };
  expect(record.args.slice(0, 2)).toEqual(['compare', compare.url]);
  expect(record.args[record.args.indexOf('--owner-pid') + 1]).toBe(String(process.pid));
  expect(record.text).toBe('\u{1f600}'.repeat(300_000));

  expect(await second.ask({ type: 'release', requestId: 'release', runId })).toMatchObject({ type: 'done' });
  expect(existsSync(directory)).toBe(false);
  expect(await second.ask({ type: 'status', requestId: 'status' })).toMatchObject({ runs: [] });
});

test('a cancelled run ends as it wishes and is told', async () => {
  const host = start(await stateHome());
  await host.ask(hello);
  const accepted = await host.ask(compare);
  if (accepted.type !== 'accepted') throw new Error(`The host answered ${accepted.type}.`);
  const { runId } = accepted.run;
  await host.until('run', ({ run }) => run.state === 'running');
  await host.write(frame({ type: 'cancel', requestId: 'cancel', runId }));
  await host.until('run', ({ run }) => run.runId === runId && run.state === 'cancelled');
});
