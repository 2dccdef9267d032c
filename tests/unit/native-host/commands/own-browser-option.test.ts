import { expect, it } from 'vitest';
import type { CompareOptions } from '../../../../native-host/commands/compare-options.ts';
import { parseOwnBrowser, runningBrowser } from '../../../../native-host/commands/own-browser-option.ts';

/** As the native-messaging host gives them. */
function options(change: Partial<CompareOptions> = {}): CompareOptions {
  return {
    ...{
      url: 'https://example.org/',
      arms: 'h1,h2',
      rounds: '5',
      precision: undefined,
      maxRounds: undefined,
    },
    ...{ seed: undefined, gap: '2s', browser: 'chromium', headed: true, network: 'none', shape: undefined },
    ...{ timeout: '60s', json: undefined, har: undefined, pcap: undefined, keylog: undefined },
    ...{ runId: 'run-1', ownerPid: '4242', ownBrowser: '153.7.0' },
    ...change,
  };
}

it('names the browser that asks, and nothing where none does', () => {
  expect(parseOwnBrowser(options())).toEqual({ pid: 4242, version: '153.7.0' });
  expect(parseOwnBrowser(options({ ownBrowser: undefined }))).toBeNull();
});

it.each([
  ['no run of a host', { runId: undefined }],
  ['no browser', { ownerPid: undefined }],
  ['a browser that is no process', { ownerPid: 'firefox' }],
  ['a version that is none', { ownBrowser: '153 --no-sandbox' }],
  ['a network of its own', { network: 'auto' }],
  ['a shape', { shape: 'rtt=50ms' }],
  ['keys', { keylog: '/tmp' }],
])('refuses %s', (_what, change) => {
  expect(() => parseOwnBrowser(options(change))).toThrow(expect.objectContaining({ code: 'bad-argument' }));
});

it('is the program that runs, and an error once that has ended', async () => {
  expect(await runningBrowser({ pid: process.pid, version: '153.0' })).toMatchObject({
    name: 'firefox',
    executable: process.execPath,
  });
  const noProcess = { pid: 2 ** 22 + 1, version: '153.0' };
  await expect(runningBrowser(noProcess)).rejects.toMatchObject({ code: 'own-browser-lost' });
});
