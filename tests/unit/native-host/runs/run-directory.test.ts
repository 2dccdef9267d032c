import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { currentStatus } from '../../../../native-host/runs/current-status.ts';
import { failRun } from '../../../../native-host/runs/fail-run.ts';
import { RunDirectory } from '../../../../native-host/runs/run-directory.ts';
import { exampleRecord } from './example-record.ts';
import { exampleStatus } from './example-status.ts';
import { temporaryRoot } from './temporary-root.ts';

/** The pid of a process that has ended and was reaped. */
async function deadPid(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid ?? 0;
}

test('what was written is read again, and nobody else may read it', async () => {
  const root = temporaryRoot();
  const run = await RunDirectory.create('run-1', { root });
  const status = exampleStatus('run-1');
  await run.writeStatus(status);
  await run.writeRecord(exampleRecord('run-1'));

  const seen = await RunDirectory.open('run-1', root);
  expect(await seen.readStatus()).toEqual(status);
  expect(await seen.readRecord()).toEqual(exampleRecord('run-1'));
  expect(await seen.isAlive()).toBe(true);
  expect(statSync(run.path).mode & 0o777).toBe(0o700);
  expect(readdirSync(run.path).sort()).toEqual(['owner.json', 'record.json', 'status.json']);
  for (const name of readdirSync(run.path)) expect(statSync(join(run.path, name)).mode & 0o077).toBe(0);
});

test('a run is listed until it is removed', async () => {
  const root = temporaryRoot();
  expect(await RunDirectory.list(join(root, 'not-yet'))).toEqual([]);
  await RunDirectory.create('a', { root });
  const b = await RunDirectory.create('b', { root });
  writeFileSync(join(root, 'stray-file'), '');
  expect((await RunDirectory.list(root)).map(({ runId }) => runId).sort()).toEqual(['a', 'b']);

  await b.remove();
  await b.remove();
  expect((await RunDirectory.list(root)).map(({ runId }) => runId)).toEqual(['a']);
  await expect(RunDirectory.open('b', root)).rejects.toMatchObject({ code: 'unknown-run' });
});

test.each(['', '../up', 'a/b', '.', 'x'.repeat(65), 'é'])('%j cannot name a run', async (runId) => {
  const root = temporaryRoot();
  await expect(RunDirectory.create(runId, { root })).rejects.toMatchObject({ code: 'bad-argument' });
  await expect(RunDirectory.open(runId, root)).rejects.toMatchObject({ code: 'unknown-run' });
});

test('the process that was started for a reserved run takes it over, with its client', async () => {
  const root = temporaryRoot();
  const reserved = await RunDirectory.create('run', { root, client: 'a browser' });
  await reserved.writeOwner(process.ppid, 'a browser');

  const taken = await RunDirectory.create('run', { root });
  expect(await taken.readOwner()).toMatchObject({ pid: process.pid, client: 'a browser' });
});

test('the id of a run that goes on elsewhere, or has ended, is taken', async () => {
  const root = temporaryRoot();
  const elsewhere = spawn('sleep', ['60']);
  await once(elsewhere, 'spawn');
  try {
    const other = await RunDirectory.create('other', { root });
    await other.writeOwner(elsewhere.pid ?? 0, null);
    await expect(RunDirectory.create('other', { root })).rejects.toMatchObject({ code: 'bad-argument' });
  } finally {
    elsewhere.kill('SIGKILL');
  }
  const ended = await RunDirectory.create('ended', { root });
  await ended.writeStatus(exampleStatus('ended', { state: 'complete' }));
  await expect(RunDirectory.create('ended', { root })).rejects.toMatchObject({ code: 'bad-argument' });
});

test('a damaged file is an error that names it', async () => {
  const root = temporaryRoot();
  const run = await RunDirectory.create('run', { root });
  writeFileSync(join(run.path, 'status.json'), '{"runId":');
  await expect(run.readStatus()).rejects.toMatchObject({
    code: 'bad-record',
    message: expect.stringContaining('status.json') as string,
  });
});

test('a run whose process has died is lost, and its record kept', async () => {
  const root = temporaryRoot();
  const run = await RunDirectory.create('run', { root });
  await run.writeStatus(exampleStatus('run'));
  await run.writeRecord(exampleRecord('run'));
  expect(await currentStatus(run)).toEqual(exampleStatus('run'));

  writeFileSync(
    run.logPath,
    'Trial 1 of 4\ntowline: out of memory\n         Close something.\nTrial 2 of 4 | h1\n\n',
  );
  await run.writeOwner(await deadPid(), null);
  const lost = await currentStatus(run);
  expect(lost).toMatchObject({ state: 'failed', currentArm: null, error: { code: 'run-lost' } });
  expect(lost?.error?.message).toContain('last words: towline: out of memory Close something.');
  expect(await run.readStatus()).toEqual(lost);
  expect(await run.readRecord()).toMatchObject({ outcome: 'failed', error: { code: 'run-lost' } });
});

test('a run that has ended well stays as it is when its process is gone', async () => {
  const root = temporaryRoot();
  const run = await RunDirectory.create('run', { root });
  const complete = exampleStatus('run', { state: 'complete' });
  await run.writeStatus(complete);
  await run.writeOwner(await deadPid(), null);
  expect(await currentStatus(run)).toEqual(complete);
});

test('what cannot be written leaves what was there', async () => {
  const root = temporaryRoot();
  const run = await RunDirectory.create('run', { root });
  await run.remove();
  await expect(run.writeStatus(exampleStatus('run'))).rejects.toMatchObject({ code: 'write-failed' });
  expect(existsSync(run.path)).toBe(false);
});

test('a run that could not begin says why, and one that has ended stays as it is', async () => {
  const root = temporaryRoot();
  const run = await RunDirectory.create('run', { root });
  const error = {
    code: 'browser-missing',
    stage: 'environment',
    message: 'No browser.',
    remedy: null,
  } as const;
  expect(await failRun(run, error)).toBeNull();
  await run.writeStatus(exampleStatus('run', { state: 'preparing' }));
  expect(await failRun(run, error)).toMatchObject({ state: 'failed', error });
  expect(await run.readStatus()).toMatchObject({ state: 'failed', error });

  const complete = exampleStatus('run', { state: 'complete' });
  await run.writeStatus(complete);
  expect(await failRun(run, error)).toEqual(complete);
});
