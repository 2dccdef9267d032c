import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { identityOf, isRunning, startTicksIn } from '../../../../native-host/runs/process-identity.ts';

/** From a running kernel, of a program named "a) S 1 (b"; field 22 is 1234567. */
const stat =
  '4242 (a) S 1 (b) S 1 4242 4242 0 -1 4194304 97 0 0 0 0 0 0 0 20 0 1 0 1234567 2424832 213 18446744073709551615 ' +
  '1 1 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0';

test('the start of a process is field 22, whatever the name of its program', () => {
  expect(startTicksIn(stat)).toBe(1234567);
});

test('a process that has ended and was not reaped counts as gone', () => {
  expect(startTicksIn(stat.replace('(b) S', '(b) Z'))).toBeNull();
});

test.each(['', ')', '1 (x', 'no such line'])('%j is no line of /proc/PID/stat', (text) => {
  expect(startTicksIn(text)).toBeNull();
});

test('a process runs until it ends', async () => {
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  const identity = await identityOf(child.pid ?? 0);
  if (identity === null) throw new Error('A process that was just started has no identity.');
  expect(await isRunning(identity)).toBe(true);

  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await isRunning(identity)).toBe(false);
});

test('another process with the same pid is another process', async () => {
  const ticks = startTicksIn(readFileSync('/proc/self/stat', 'utf8')) ?? NaN;
  expect(await isRunning({ pid: process.pid, startTicks: ticks })).toBe(true);
  expect(await isRunning({ pid: process.pid, startTicks: ticks + 1 })).toBe(false);
});
