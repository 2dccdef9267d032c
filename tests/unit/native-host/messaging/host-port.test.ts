import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { HostRelay, RelayTarget } from '../../../../native-host/messaging/host-relay.ts';
import type { HostRuns } from '../../../../native-host/messaging/host-runs.ts';
import type { HostWindows, OpenWindowRequest } from '../../../../native-host/messaging/host-windows.ts';
import type { HostWatch } from '../../../../native-host/messaging/host-watch.ts';
import { HostPort } from '../../../../native-host/messaging/host-port.ts';
import { TowlineError } from '../../../../shared/errors/towline-error.ts';
import {
  HostMessageSchema,
  protocolVersion,
  type HostMessage,
} from '../../../../shared/messages/host-protocol.ts';
import { exampleStatus } from '../runs/example-status.ts';

const hello = { type: 'hello', requestId: 'h', protocolVersion, extensionVersion: '0.1.0' };
const compare = {
  type: 'compare',
  requestId: 'c',
  url: 'https://example.org/',
  arms: ['h1', 'h2'],
  rounds: 5,
  gapMs: 2000,
  shape: null,
};

/** Runs that only note what was asked of them. */
class NotedRuns implements HostRuns, HostWindows {
  readonly relay: HostRelay = {
    start: ({ host, port }: RelayTarget) =>
      this.#note(`relay to ${host} ${port}`, { port: 40_000, secret: 's'.repeat(43) }),
    stop: () => this.#note('no relay', undefined),
  };
  readonly asked: string[] = [];
  recordJson = '{}';

  start = ({ url }: { url: string }) => this.#note(`start ${url}`, exampleStatus('run-1', { url }));
  list = () => this.#note('list', [exampleStatus('run-1')]);
  cancel = (runId: string) => this.#note(`cancel ${runId}`, undefined);
  recordText = (runId: string) => this.#note(`record ${runId}`, this.recordJson);
  release = (runId: string): Promise<void> => {
    this.asked.push(`release ${runId}`);
    return Promise.reject(new TowlineError('unknown-run', 'messaging', 'There is no such run.'));
  };
  answerOwnCall = (runId: string, callId: string, { type }: { type: string }) =>
    this.#note(`answer ${runId} ${callId} ${type}`, undefined);
  watch = () => this.#note('watch', undefined);
  /** Of packets. */
  readonly wire: HostWatch = {
    start: (ports) => this.#note(`watch ${ports.join(' ')}`, 'eth0'),
    stop: () => this.#note('unwatch', undefined),
    timeOf: ({ servers }) => this.#note(`time ${JSON.stringify(servers)}`, this.time),
  };
  time: Awaited<ReturnType<HostWatch['timeOf']>> = { untilMs: 9, time: { missing: 'busy', detail: null } };
  open = ({ url, arm, browser }: OpenWindowRequest) => this.#note(`open ${url} ${arm} ${browser}`, undefined);

  #note<T>(what: string, answer: T): Promise<T> {
    this.asked.push(what);
    return Promise.resolve(answer);
  }
}

/** Gives messages to a port that was greeted, and returns what it answers to them. */
async function converse(
  messages: readonly unknown[],
  { runs = new NotedRuns(), greeting = [hello] as readonly unknown[] } = {},
): Promise<HostMessage[]> {
  const answers: HostMessage[] = [];
  const port = new HostPort({
    runs,
    windows: runs,
    relay: runs.relay,
    watch: runs.wire,
    hostVersion: '0.1.0',
    send: (message) => {
      answers.push(v.parse(HostMessageSchema, message));
      return Promise.resolve();
    },
    log: () => undefined,
  });
  for (const message of greeting) await port.receive(frameOf(message));
  answers.length = 0;
  for (const message of messages) await port.receive(frameOf(message));
  return answers;
}

function frameOf(message: unknown): { kind: 'message'; body: Buffer } {
  return { kind: 'message', body: Buffer.isBuffer(message) ? message : Buffer.from(JSON.stringify(message)) };
}

test('what a browser made of a step goes to its run, checked', async () => {
  const runs = new NotedRuns();
  const answer = {
    type: 'own-answer',
    requestId: 'a',
    runId: 'run-1',
    callId: 'c',
    answer: { type: 'begun' },
  };
  const spoilt = { ...answer, answer: { type: 'finished', account: { requests: [{}], altSvc: {} } } };
  const answers = await converse([answer, spoilt], { runs });
  expect(answers).toMatchObject([{ type: 'done', requestId: 'a' }, { error: { code: 'bad-message' } }]);
  expect(runs.asked.filter((asked) => asked.startsWith('answer'))).toEqual(['answer run-1 c begun']);
});

test("a comparison in the asker's own browser is asked for by its version, which is one", async () => {
  const runs = new NotedRuns();
  const own = { own: true, version: '153.7.0', headless: false };
  const answers = await converse(
    [
      { ...compare, browser: own },
      { ...compare, browser: { ...own, version: '153 --headed' } },
      { ...compare, browser: 'own' },
    ],
    { runs },
  );
  expect(answers.map(({ type }) => type)).toEqual(['accepted', 'error', 'error']);
});

test('a greeting is answered, and the runs are watched from then on', async () => {
  const runs = new NotedRuns();
  const answers = await converse([hello], { runs, greeting: [] });
  expect(answers).toEqual([{ type: 'hello', requestId: 'h', protocolVersion, hostVersion: '0.1.0' }]);
  expect(runs.asked).toEqual(['watch']);
});

test('nothing is done before the greeting', async () => {
  const runs = new NotedRuns();
  const answers = await converse([compare], { runs, greeting: [] });
  expect(answers).toMatchObject([{ type: 'error', requestId: 'c', error: { code: 'bad-message' } }]);
  expect(runs.asked).toEqual([]);
});

test.each([
  [protocolVersion - 1, 'Update the extension.'],
  [protocolVersion + 1, 'Update Towline on this machine.'],
])('version %i of the protocol is refused, saying which side is to be updated', async (theirs, remedy) => {
  // A later version may look otherwise but for its type and number.
  const greeting = { type: 'hello', requestId: 'h', protocolVersion: theirs, other: true };
  const answers = await converse([greeting, compare], { greeting: [] });
  expect(answers).toMatchObject([
    { type: 'error', requestId: 'h', error: { code: 'version-mismatch', remedy } },
    { type: 'error', requestId: 'c', error: { code: 'bad-message' } },
  ]);
});

test('each request is answered under its own id', async () => {
  const runs = new NotedRuns();
  const answers = await converse(
    [
      compare,
      { type: 'status', requestId: 's' },
      { type: 'cancel', requestId: 'x', runId: 'run-1' },
      { type: 'release', requestId: 'r', runId: 'run-2' },
    ],
    { runs },
  );
  expect(answers).toEqual([
    { type: 'accepted', requestId: 'c', run: exampleStatus('run-1') },
    { type: 'runs', requestId: 's', runs: [exampleStatus('run-1')] },
    { type: 'done', requestId: 'x' },
    expect.objectContaining({ type: 'error', requestId: 'r' }),
  ]);
  expect(runs.asked).toEqual([
    'watch',
    'start https://example.org/',
    'watch',
    'list',
    'cancel run-1',
    'release run-2',
  ]);
});

test('a record comes in pieces that make it again', async () => {
  const runs = new NotedRuns();
  runs.recordJson = JSON.stringify({ text: '\u{1f600}"\\'.repeat(200_000) });
  const answers = await converse([{ type: 'fetch-record', requestId: 'f', runId: 'run-1' }], { runs });
  const pieces = answers.map((answer) =>
    answer.type === 'record-chunk' ? answer : expect.fail(answer.type),
  );
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.map(({ index, total }) => [index, total])).toEqual(pieces.map((_, i) => [i, pieces.length]));
  expect(pieces.map(({ text }) => text).join('')).toBe(runs.recordJson);
});

test.each([
  ['no JSON', Buffer.from('{"type":'), null],
  ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), null],
  ['nothing', Buffer.alloc(0), null],
  ['a million brackets', Buffer.alloc(1_000_000, '['), null],
  ['null', null, null],
  ['a number', 7, null],
  ['an unknown verb', { type: 'run-program', requestId: 'q' }, 'q'],
  ['an id that is no id', { ...compare, requestId: '../../x' }, null],
  ['a run id that leaves the directory', { type: 'release', requestId: 'q', runId: '../../etc' }, 'q'],
  ['an unknown arm', { ...compare, arms: ['h1', '--shape'] }, 'c'],
  ['no arm', { ...compare, arms: [] }, 'c'],
  ['rounds without end', { ...compare, rounds: 1e9 }, 'c'],
  ['a precision of nothing', { ...compare, precisionPercent: 0 }, 'c'],
  ['a pause that is no number', { ...compare, gapMs: '0; reboot' }, 'c'],
])('%s is refused and nothing is done', async (_, message, requestId) => {
  const runs = new NotedRuns();
  const answers = await converse([message, { type: 'status', requestId: 's' }], { runs });
  expect(answers).toMatchObject([
    { type: 'error', requestId, error: { code: 'bad-message' } },
    { type: 'runs', requestId: 's' },
  ]);
  expect(runs.asked).toEqual(['watch', 'list']);
});

test.each([
  'file:///etc/passwd',
  'javascript:alert(1)',
  'chrome://settings',
  'ftp://example.org/',
  '--json=/etc/passwd',
  'lab:youtube',
  'not an address',
])('the address %s is refused', async (url) => {
  const runs = new NotedRuns();
  const answers = await converse([{ ...compare, url }], { runs });
  expect(answers).toMatchObject([{ type: 'error', requestId: 'c', error: { code: 'bad-url' } }]);
  expect(runs.asked).toEqual(['watch']);
});

const openWindow = {
  type: 'open-window',
  requestId: 'w',
  url: 'https://example.org/',
  arm: 'h3',
  browser: 'chromium',
};

test('a window is opened as asked for, and refused with anything but the values of the lists', async () => {
  const runs = new NotedRuns();
  const answers = await converse(
    [
      openWindow,
      { ...openWindow, url: 'file:///etc/passwd' },
      { ...openWindow, arm: 'h3 --no-sandbox' },
      { ...openWindow, browser: '/bin/sh' },
    ],
    { runs },
  );
  expect(answers.map((answer) => (answer.type === 'error' ? answer.error.code : answer.type))).toEqual([
    'done',
    'bad-url',
    'bad-message',
    'bad-message',
  ]);
  expect(runs.asked).toEqual(['watch', 'open https://example.org/ h3 chromium']);
});

const startRelay = { type: 'start-relay', requestId: 'y', host: 'example.org', port: 443 };

test('a relay is opened to the host and port asked for, and ended', async () => {
  const runs = new NotedRuns();
  const answers = await converse(
    [startRelay, { ...startRelay, host: '[2001:db8::1]' }, { type: 'stop-relay', requestId: 'z' }],
    { runs },
  );
  expect(answers).toEqual([
    { type: 'relay', requestId: 'y', port: 40_000, secret: 's'.repeat(43) },
    { type: 'relay', requestId: 'y', port: 40_000, secret: 's'.repeat(43) },
    { type: 'done', requestId: 'z' },
  ]);
  expect(runs.asked).toEqual(['watch', 'relay to example.org 443', 'relay to [2001:db8::1] 443', 'no relay']);
});

test.each([
  { host: '' },
  { host: '*' },
  { host: 'example.org:22' },
  { host: 'user@example.org' },
  { host: 'example.org/path' },
  { host: 'example.org\r\nX: y' },
  { host: '/run/docker.sock' },
  { host: `${'a.'.repeat(130)}org` },
  { port: 0 },
  { port: 65_536 },
  { port: '443' },
])('a relay to %o is refused', async (wrong) => {
  const runs = new NotedRuns();
  const answers = await converse([{ ...startRelay, ...wrong }], { runs });
  expect(answers).toMatchObject([{ type: 'error', requestId: 'y', error: { code: 'bad-message' } }]);
  expect(runs.asked).toEqual(['watch']);
});

const timeOnWire = {
  type: 'time-on-wire',
  requestId: 't',
  fromMs: 1,
  toMs: 2,
  servers: [{ address: '2001:db8::1', port: 443 }],
};

test('packets are watched when asked, and a time is told when it is known, others being answered before', async () => {
  const runs = new NotedRuns();
  let tell: () => void = () => undefined;
  runs.wire.timeOf = () =>
    new Promise(
      (resolve) =>
        (tell = () => {
          resolve(runs.time);
        }),
    );
  const answers = await converse(
    [{ type: 'watch', requestId: 'w', ports: [8443] }, timeOnWire, { type: 'unwatch', requestId: 'u' }],
    { runs },
  );
  expect(answers).toEqual([
    { type: 'watching', requestId: 'w', interface: 'eth0' },
    { type: 'done', requestId: 'u' },
  ]);
  tell();
  await expect.poll(() => answers[2]).toEqual({ type: 'time-on-wire', requestId: 't', ...runs.time });
  expect(runs.asked).toEqual(['watch', 'watch 8443', 'unwatch']);
});

test('a time that cannot be told is refused with the reason', async () => {
  const runs = new NotedRuns();
  const remedy = 'sudo setcap cap_net_raw+ep /usr/bin/tcpdump';
  runs.wire.timeOf = () =>
    Promise.reject(new TowlineError('permission-denied', 'capture', 'Not allowed.', { remedy }));
  const answers = await converse([timeOnWire], { runs });
  await expect
    .poll(() => answers)
    .toMatchObject([{ type: 'error', requestId: 't', error: { code: 'permission-denied', remedy } }]);
});

test('nothing is logged that tells when pages are loaded', async () => {
  const log: string[] = [];
  const runs = new NotedRuns();
  runs.wire.start = () => Promise.reject(new TowlineError('capture-failed', 'capture', 'It failed.'));
  const port = new HostPort({
    runs,
    windows: runs,
    relay: runs.relay,
    watch: runs.wire,
    hostVersion: '0.1.0',
    send: () => Promise.resolve(),
    log: (line) => log.push(line),
  });
  for (const message of [hello, { type: 'watch', requestId: 'w', ports: [] }, timeOnWire]) {
    await port.receive(frameOf(message));
  }
  expect(log).toEqual(['hello']);
});

test.each([
  ['a port beyond all ports', { type: 'watch', requestId: 'q', ports: [65_536] }],
  ['a filter of its own', { type: 'watch', requestId: 'q', ports: ['22 or port 53'] }],
  ['too many ports', { type: 'watch', requestId: 'q', ports: Array.from({ length: 65 }, (_, i) => i + 1) }],
  ['no server', { ...timeOnWire, requestId: 'q', servers: [] }],
  ['a name for an address', { ...timeOnWire, requestId: 'q', servers: [{ address: 'a.test', port: 443 }] }],
  ['a time without end', { ...timeOnWire, requestId: 'q', toMs: Infinity }],
])('%s is refused and nothing is watched', async (_, message) => {
  const runs = new NotedRuns();
  const answers = await converse([message], { runs });
  expect(answers).toMatchObject([{ type: 'error', requestId: 'q', error: { code: 'bad-message' } }]);
  expect(runs.asked).toEqual(['watch']);
});

test('a message that was left out is told', async () => {
  const answers: HostMessage[] = [];
  const runs = new NotedRuns();
  const port = new HostPort({
    runs,
    windows: runs,
    relay: runs.relay,
    watch: runs.wire,
    hostVersion: '0.1.0',
    send: (message) => Promise.resolve(void answers.push(message)),
    log: () => undefined,
  });
  await port.receive({ kind: 'too-large', bytes: 5_000_000 });
  expect(answers).toMatchObject([{ type: 'error', requestId: null, error: { code: 'message-too-large' } }]);
});
