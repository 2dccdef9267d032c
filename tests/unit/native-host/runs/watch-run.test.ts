import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { watchRun } from '../../../../native-host/runs/watch-run.ts';
import { RunDirectory } from '../../../../native-host/runs/run-directory.ts';
import type { RunStatus } from '../../../../shared/messages/run-status.ts';
import { exampleStatus } from './example-status.ts';
import { temporaryRoot } from './temporary-root.ts';

/** Watches a run and hands out what is told, one after the other. */
function watchedRun(run: RunDirectory, pollMs: number): { next(): Promise<RunStatus | Error>; stop(): void } {
  const told: (RunStatus | Error)[] = [];
  let wake: (() => void) | undefined;
  const tell = (what: RunStatus | Error): void => {
    told.push(what);
    wake?.();
  };
  const stop = watchRun(
    run,
    {
      onStatus: tell,
      onError: (error) => {
        tell(error as Error);
      },
    },
    pollMs,
  );
  onTestFinished(stop);
  return {
    stop,
    next: async () => {
      for (;;) {
        const first = told.shift();
        if (first) return first;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

/** So long that only the kernel's word can be what was heard. */
const never = 3_600_000;

test('each change is told until the run has ended', async () => {
  const run = await RunDirectory.create('run', { root: temporaryRoot() });
  await run.writeStatus(exampleStatus('run'));
  const told = watchedRun(run, never);
  expect(await told.next()).toMatchObject({ state: 'running', trialsDone: 0 });
  await run.writeStatus(exampleStatus('run', { trialsDone: 1 }));
  expect(await told.next()).toMatchObject({ trialsDone: 1 });
  await run.writeStatus(exampleStatus('run', { state: 'complete', trialsDone: 4 }));
  expect(await told.next()).toMatchObject({ state: 'complete' });
});

test('a run that dies in silence is told as lost', async () => {
  const run = await RunDirectory.create('run', { root: temporaryRoot() });
  await run.writeStatus(exampleStatus('run'));
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  await run.writeOwner(child.pid ?? 0, null);
  const told = watchedRun(run, 20);
  expect(await told.next()).toMatchObject({ state: 'running' });
  child.kill('SIGKILL');
  expect(await told.next()).toMatchObject({ state: 'failed', error: { code: 'run-lost' } });
});

test('a status that was damaged ends the watch', async () => {
  const run = await RunDirectory.create('run', { root: temporaryRoot() });
  await run.writeStatus({ ...exampleStatus('run'), state: 'no such state' as 'running' });
  expect(await watchedRun(run, never).next()).toMatchObject({ code: 'bad-record' });
});
