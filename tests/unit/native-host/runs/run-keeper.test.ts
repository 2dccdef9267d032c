import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { CompareRequest } from '../../../../native-host/messaging/host-runs.ts';
import { RunDirectory } from '../../../../native-host/runs/run-directory.ts';
import { RunKeeper } from '../../../../native-host/runs/run-keeper.ts';
import type { RunStatus } from '../../../../shared/messages/run-status.ts';
import { exampleRecord } from './example-record.ts';
import { exampleStatus } from './example-status.ts';
import { temporaryRoot } from './temporary-root.ts';

const request: CompareRequest = {
  type: 'compare',
  requestId: 'c',
  url: 'https://example.org/',
  arms: ['h1', 'h2'],
  rounds: 5,
  precisionPercent: null,
  gapMs: 0,
  browser: 'chromium' as const,
  shape: null,
};

/**
 * A program that does nothing until it is interrupted or, like a real run, its owner ends: the process named by its
 * last argument.
 */
const idle = [
  ...['sh', '-c'],
  'for owner; do :; done; trap "exit 0" INT; while kill -0 "$owner" 2>/dev/null; do sleep 0.05; done',
] as const;

interface Kept {
  keeper: RunKeeper;
  /** Waits until a status of this kind was told. */
  until: (state: RunStatus['state']) => Promise<RunStatus>;
}

/** A keeper whose runs end with the test. */
function keep(root: string, client: string, command: readonly [string, ...string[]] = idle): Kept {
  const told: RunStatus[] = [];
  let wake: (() => void) | undefined;
  const keeper = new RunKeeper({
    command,
    client,
    browserPid: process.pid,
    root,
    log: () => undefined,
    onOwnCall: () => undefined,
    onOwnStop: () => undefined,
    onStatus: (status) => {
      told.push(status);
      wake?.();
    },
  });
  onTestFinished(async () => {
    keeper.close();
    for (const run of await RunDirectory.list(root)) {
      const owner = await run.readOwner();
      if (owner && owner.pid !== process.pid && (await run.isAlive())) process.kill(owner.pid, 'SIGKILL');
    }
  });
  return {
    keeper,
    until: async (state) => {
      for (;;) {
        const status = told.find((one) => one.state === state);
        if (status) return status;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

test('a run is a process of its own session, alive and listed at once', async () => {
  const root = temporaryRoot();
  const { keeper } = keep(root, 'a browser');
  const status = await keeper.start(request);
  expect(status).toMatchObject({ url: request.url, arms: ['h1', 'h2'], state: 'preparing' });
  expect(await keeper.list()).toEqual([status]);

  const owner = await (await RunDirectory.open(status.runId, root)).readOwner();
  const stat = readFileSync(`/proc/${owner?.pid ?? 0}/stat`, 'utf8');
  const session = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3];
  expect(Number(session)).toBe(owner?.pid);
});

test('only one comparison goes on at a time, whoever started it', async () => {
  const root = temporaryRoot();
  const first = await keep(root, 'a browser').keeper.start(request);
  const other = keep(root, 'another browser').keeper;
  await expect(other.start(request)).rejects.toMatchObject({ code: 'host-busy' });
  expect((await RunDirectory.list(root)).map(({ runId }) => runId)).toEqual([first.runId]);
});

test('a cancelled run is interrupted; that it ended without a word is told', async () => {
  const { keeper, until } = keep(temporaryRoot(), 'a browser');
  const { runId } = await keeper.start(request);
  await keeper.watch();
  await keeper.cancel(runId);
  const lost = await until('failed');
  expect(lost).toMatchObject({ runId, error: { code: 'run-lost' } });
  await keeper.cancel(runId);
});

test('a program that cannot be started leaves no run', async () => {
  const root = temporaryRoot();
  const { keeper } = keep(root, 'a browser', ['/no/such/program']);
  await expect(keeper.start(request)).rejects.toMatchObject({ code: 'internal' });
  expect(await RunDirectory.list(root)).toEqual([]);
});

test('another keeper of the same browser takes over; another browser sees nothing', async () => {
  const root = temporaryRoot();
  const { runId } = await keep(root, 'a browser').keeper.start(request);

  const stranger = keep(root, 'another browser').keeper;
  expect(await stranger.list()).toEqual([]);
  for (const ask of ['cancel', 'release', 'recordText'] as const) {
    await expect(stranger[ask](runId)).rejects.toMatchObject({ code: 'unknown-run' });
  }

  const { keeper: next, until } = keep(root, 'a browser');
  await next.watch();
  const run = await RunDirectory.open(runId, root);
  await run.writeRecord(exampleRecord(runId));
  await expect(next.release(runId)).rejects.toMatchObject({ code: 'host-busy' });
  await run.writeStatus(exampleStatus(runId, { state: 'complete' }));
  await until('complete');
  expect(JSON.parse(await next.recordText(runId))).toEqual(exampleRecord(runId));
  await next.release(runId);
  expect(existsSync(run.path)).toBe(false);
});

test('a pid that was used again is not interrupted', async () => {
  const root = temporaryRoot();
  const { keeper } = keep(root, 'a browser');
  const bystander = spawn('sleep', ['60']);
  await once(bystander, 'spawn');
  onTestFinished(() => void bystander.kill('SIGKILL'));
  const run = await RunDirectory.create('run', { root, client: 'a browser' });
  await run.writeStatus(exampleStatus('run'));
  writeFileSync(
    `${run.path}/owner.json`,
    JSON.stringify({ pid: bystander.pid, startTicks: 1, startedAt: '', client: 'a browser' }),
  );
  await keeper.cancel('run');
  expect(bystander.signalCode).toBeNull();
  expect(await keeper.list()).toMatchObject([{ runId: 'run', state: 'failed' }]);
});
