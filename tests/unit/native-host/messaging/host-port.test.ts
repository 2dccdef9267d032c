import { expect, test } from 'vitest';
import { protocolVersion, type HostMessage } from '../../../../shared/messages/host-protocol.ts';
import { exampleStatus } from '../runs/example-status.ts';
import { converse, hello, NotedHost, portOf } from './noted-host.ts';

const compare = {
  type: 'compare',
  requestId: 'c',
  url: 'https://example.org/',
  arms: ['h1', 'h2'],
  rounds: 5,
  gapMs: 2000,
  shape: null,
};

test('what a browser made of a step goes to its run, checked', async () => {
  const host = new NotedHost();
  const answer = {
    type: 'own-answer',
    requestId: 'a',
    runId: 'run-1',
    callId: 'c',
    answer: { type: 'begun' },
  };
  const spoilt = { ...answer, answer: { type: 'finished', account: { requests: [{}], altSvc: {} } } };
  const answers = await converse([answer, spoilt], { host });
  expect(answers).toMatchObject([{ type: 'done', requestId: 'a' }, { error: { code: 'bad-message' } }]);
  expect(host.asked.filter((asked) => asked.startsWith('answer'))).toEqual(['answer run-1 c begun']);
});

test("a comparison in the asker's own browser is asked for by its version, which is one", async () => {
  const host = new NotedHost();
  const own = { own: true, version: '153.7.0', headless: false };
  const answers = await converse(
    [
      { ...compare, browser: own },
      { ...compare, browser: { ...own, version: '153 --headed' } },
      { ...compare, browser: 'own' },
    ],
    { host },
  );
  expect(answers.map(({ type }) => type)).toEqual(['accepted', 'error', 'error']);
});

test('a greeting is answered, and the runs are watched from then on', async () => {
  const host = new NotedHost();
  const answers = await converse([hello], { host, greeting: [] });
  expect(answers).toEqual([{ type: 'hello', requestId: 'h', protocolVersion, hostVersion: '0.1.0' }]);
  expect(host.asked).toEqual(['watch']);
});

test('nothing is done before the greeting', async () => {
  const host = new NotedHost();
  const answers = await converse([compare], { host, greeting: [] });
  expect(answers).toMatchObject([{ type: 'error', requestId: 'c', error: { code: 'bad-message' } }]);
  expect(host.asked).toEqual([]);
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
  const host = new NotedHost();
  const answers = await converse(
    [
      compare,
      { type: 'status', requestId: 's' },
      { type: 'cancel', requestId: 'x', runId: 'run-1' },
      { type: 'release', requestId: 'r', runId: 'run-2' },
    ],
    { host },
  );
  expect(answers).toEqual([
    { type: 'accepted', requestId: 'c', run: exampleStatus('run-1') },
    { type: 'runs', requestId: 's', runs: [exampleStatus('run-1')] },
    { type: 'done', requestId: 'x' },
    expect.objectContaining({ type: 'error', requestId: 'r' }),
  ]);
  expect(host.asked).toEqual([
    'watch',
    'start https://example.org/',
    'watch',
    'list',
    'cancel run-1',
    'release run-2',
  ]);
});

test('a record comes in pieces that make it again', async () => {
  const host = new NotedHost();
  host.recordJson = JSON.stringify({ text: '\u{1f600}"\\'.repeat(200_000) });
  const answers = await converse([{ type: 'fetch-record', requestId: 'f', runId: 'run-1' }], { host });
  const pieces = answers.map((answer) =>
    answer.type === 'record-chunk' ? answer : expect.fail(answer.type),
  );
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.map(({ index, total }) => [index, total])).toEqual(pieces.map((_, i) => [i, pieces.length]));
  expect(pieces.map(({ text }) => text).join('')).toBe(host.recordJson);
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
  const host = new NotedHost();
  const answers = await converse([message, { type: 'status', requestId: 's' }], { host });
  expect(answers).toMatchObject([
    { type: 'error', requestId, error: { code: 'bad-message' } },
    { type: 'runs', requestId: 's' },
  ]);
  expect(host.asked).toEqual(['watch', 'list']);
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
  const host = new NotedHost();
  const answers = await converse([{ ...compare, url }], { host });
  expect(answers).toMatchObject([{ type: 'error', requestId: 'c', error: { code: 'bad-url' } }]);
  expect(host.asked).toEqual(['watch']);
});

test('a message that was left out is told', async () => {
  const answers: HostMessage[] = [];
  const port = portOf(new NotedHost(), { send: (message) => Promise.resolve(void answers.push(message)) });
  await port.receive({ kind: 'too-large', bytes: 5_000_000 });
  expect(answers).toMatchObject([{ type: 'error', requestId: null, error: { code: 'message-too-large' } }]);
});
