import { expect, test } from 'vitest';
import { TowlineError } from '../../../../shared/errors/towline-error.ts';
import { converse, frameOf, hello, NotedHost, portOf } from './noted-host.ts';

const openWindow = {
  type: 'open-window',
  requestId: 'w',
  url: 'https://example.org/',
  arm: 'h3',
  browser: 'chromium',
};

test('a window is opened as asked for, and refused with anything but the values of the lists', async () => {
  const host = new NotedHost();
  const answers = await converse(
    [
      openWindow,
      { ...openWindow, url: 'file:///etc/passwd' },
      { ...openWindow, arm: 'h3 --no-sandbox' },
      { ...openWindow, browser: '/bin/sh' },
    ],
    { host },
  );
  expect(answers.map((answer) => (answer.type === 'error' ? answer.error.code : answer.type))).toEqual([
    'done',
    'bad-url',
    'bad-message',
    'bad-message',
  ]);
  expect(host.asked).toEqual(['watch', 'open https://example.org/ h3 chromium']);
});

const startRelay = { type: 'start-relay', requestId: 'y', host: 'example.org', port: 443 };

test('a relay is opened to the host and port asked for, and ended', async () => {
  const host = new NotedHost();
  const answers = await converse(
    [startRelay, { ...startRelay, host: '[2001:db8::1]' }, { type: 'stop-relay', requestId: 'z' }],
    { host },
  );
  expect(answers).toEqual([
    { type: 'relay', requestId: 'y', port: 40_000, secret: 's'.repeat(43) },
    { type: 'relay', requestId: 'y', port: 40_000, secret: 's'.repeat(43) },
    { type: 'done', requestId: 'z' },
  ]);
  expect(host.asked).toEqual(['watch', 'relay to example.org 443', 'relay to [2001:db8::1] 443', 'no relay']);
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
  const host = new NotedHost();
  const answers = await converse([{ ...startRelay, ...wrong }], { host });
  expect(answers).toMatchObject([{ type: 'error', requestId: 'y', error: { code: 'bad-message' } }]);
  expect(host.asked).toEqual(['watch']);
});

const timeOnWire = {
  type: 'time-on-wire',
  requestId: 't',
  fromMs: 1,
  toMs: 2,
  servers: [{ address: '2001:db8::1', port: 443 }],
};

test('packets are watched when asked, and a time is told when it is known, others being answered before', async () => {
  const host = new NotedHost();
  let tell: () => void = () => undefined;
  host.wire.timeOf = () =>
    new Promise(
      (resolve) =>
        (tell = () => {
          resolve(host.time);
        }),
    );
  const answers = await converse(
    [{ type: 'watch', requestId: 'w', ports: [8443] }, timeOnWire, { type: 'unwatch', requestId: 'u' }],
    { host },
  );
  expect(answers).toEqual([
    { type: 'watching', requestId: 'w', interface: 'eth0' },
    { type: 'done', requestId: 'u' },
  ]);
  tell();
  await expect.poll(() => answers[2]).toEqual({ type: 'time-on-wire', requestId: 't', ...host.time });
  expect(host.asked).toEqual(['watch', 'watch 8443', 'unwatch']);
});

test('a time that cannot be told is refused with the reason', async () => {
  const host = new NotedHost();
  const remedy = 'sudo setcap cap_net_raw+ep /usr/bin/tcpdump';
  host.wire.timeOf = () =>
    Promise.reject(new TowlineError('permission-denied', 'capture', 'Not allowed.', { remedy }));
  const answers = await converse([timeOnWire], { host });
  await expect
    .poll(() => answers)
    .toMatchObject([{ type: 'error', requestId: 't', error: { code: 'permission-denied', remedy } }]);
});

test('nothing is logged that tells when pages are loaded', async () => {
  const log: string[] = [];
  const host = new NotedHost();
  host.wire.start = () => Promise.reject(new TowlineError('capture-failed', 'capture', 'It failed.'));
  const port = portOf(host, { log: (line) => log.push(line) });
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
  const host = new NotedHost();
  const answers = await converse([message], { host });
  expect(answers).toMatchObject([{ type: 'error', requestId: 'q', error: { code: 'bad-message' } }]);
  expect(host.asked).toEqual(['watch']);
});
