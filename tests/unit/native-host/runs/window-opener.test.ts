import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenWindowRequest } from '../../../../native-host/messaging/host-windows.ts';
import { RunDirectory } from '../../../../native-host/runs/run-directory.ts';
import { WindowOpener } from '../../../../native-host/runs/window-opener.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'window-opener-'));
});
afterAll(async () => {
  await rm(root, { recursive: true, force: true });
});

const request: OpenWindowRequest = {
  type: 'open-window',
  requestId: 'w',
  url: 'https://example.org/',
  arm: 'h3',
  browser: 'chromium',
};

/** A command that says this and ends; its arguments stand behind the script, as Node gives them. */
function openerOf(script: string, windows = join(root, 'none')): WindowOpener {
  return new WindowOpener({
    command: [process.execPath, '--eval', script, '--'],
    browserPid: 4711,
    root: windows,
  });
}

test('the command gets the checked values as arguments, and the browser whose end is its own', async () => {
  // Told as the message of an error, which comes back to who asked.
  const echo = `process.send({ type: 'failed', error: {
    code: 'no-display', stage: 'environment', message: process.argv.slice(1).join(' '), remedy: null } })`;
  await expect(openerOf(echo).open(request)).rejects.toMatchObject({
    code: 'no-display',
    message: 'open https://example.org/ --arm h3 --browser chromium --owner-pid 4711',
  });
});

test('it is done once the window is there, although the command goes on', async () => {
  await expect(openerOf(`process.send({ type: 'opened' })`).open(request)).resolves.toBeUndefined();
});

test.each([
  ['ends without a word', 'process.exit(1)'],
  ['says something else', `process.send('nonsense')`],
])('a command that %s opened no window', async (_what, script) => {
  await expect(openerOf(script).open(request)).rejects.toMatchObject({ code: 'internal' });
});

test('a seventh window is refused', async () => {
  const windows = join(root, 'six');
  for (const number of [1, 2, 3, 4, 5, 6]) await RunDirectory.create(`window-${number}`, { root: windows });
  const opener = openerOf(`process.send({ type: 'opened' })`, windows);
  await expect(opener.open(request)).rejects.toMatchObject({ code: 'host-busy' });
});
