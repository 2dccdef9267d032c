import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { watchOwner } from '../../../../native-host/runs/watch-owner.ts';

test('the end of the owner is told', async () => {
  const owner = spawn('sleep', ['60']);
  await once(owner, 'spawn');
  let gone = false;
  const told = new Promise<void>((resolve) => {
    watchOwner(
      owner.pid ?? 0,
      () => {
        gone = true;
        resolve();
      },
      10,
    );
  });
  // The watch does not keep a process alive by itself: this does, for as long as the test takes.
  const awake = setInterval(() => undefined, 1000);
  expect(gone).toBe(false);
  owner.kill('SIGKILL');
  await told;
  clearInterval(awake);
});

test('an owner that was gone before is told at once', async () => {
  const owner = spawn('true');
  await once(owner, 'exit');
  await new Promise<void>((resolve) => {
    watchOwner(owner.pid ?? 0, resolve, 3_600_000);
  });
});
