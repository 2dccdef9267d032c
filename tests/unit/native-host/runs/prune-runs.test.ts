import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepRunsMs, pruneRuns } from '../../../../native-host/runs/prune-runs.ts';
import { scratchName } from '../../../../native-host/runs/prune-scratch.ts';
import { RunDirectory } from '../../../../native-host/runs/run-directory.ts';
import { exampleRecord } from './example-record.ts';
import { exampleStatus } from './example-status.ts';
import { temporaryRoot } from './temporary-root.ts';

async function deadRun(root: string, runId: string, client: string | null): Promise<RunDirectory> {
  const child = spawn('true');
  await once(child, 'exit');
  const run = await RunDirectory.create(runId, { root });
  await run.writeStatus(exampleStatus(runId));
  await run.writeOwner(child.pid ?? 0, client);
  return run;
}

test('a live run is not touched', async () => {
  const root = temporaryRoot();
  const run = await RunDirectory.create('live', { root });
  await run.writeStatus(exampleStatus('live'));
  expect(await pruneRuns(Date.now() + 10 * keepRunsMs, root)).toEqual([]);
  expect(await run.readStatus()).toEqual(exampleStatus('live'));
});

test('a run that was cut off is marked as lost, once', async () => {
  const root = temporaryRoot();
  const run = await deadRun(root, 'cut-off', null);
  await run.writeRecord(exampleRecord('cut-off'));
  expect(await pruneRuns(Date.now(), root)).toMatchObject([{ runId: 'cut-off', action: 'marked-lost' }]);
  expect(await run.readStatus()).toMatchObject({ state: 'failed', error: { code: 'run-lost' } });
  expect(await pruneRuns(Date.now(), root)).toEqual([]);
});

test('a run that was cut off with nothing measured goes, unless a browser is to be told', async () => {
  const root = temporaryRoot();
  await deadRun(root, 'terminal', null);
  await deadRun(root, 'browser', 'a browser');
  const pruned = await pruneRuns(Date.now(), root);
  expect(pruned.sort((a, b) => a.runId.localeCompare(b.runId))).toMatchObject([
    { runId: 'browser', action: 'marked-lost' },
    { runId: 'terminal', action: 'removed' },
  ]);
});

test('a run that nobody fetched goes after 30 days, a damaged one too', async () => {
  const root = temporaryRoot();
  const damaged = await deadRun(root, 'damaged', null);
  writeFileSync(join(damaged.path, 'status.json'), 'nonsense');
  const complete = await deadRun(root, 'complete', null);
  await complete.writeStatus(exampleStatus('complete', { state: 'complete' }));

  expect(await pruneRuns(Date.now(), root)).toEqual([]);
  const pruned = await pruneRuns(Date.now() + keepRunsMs + 60_000, root);
  expect(pruned.map(({ runId, action }) => `${runId} ${action}`).sort()).toEqual([
    'complete removed',
    'damaged removed',
  ]);
});

test('a directory that was just made is left alone, an old empty one goes', async () => {
  const root = temporaryRoot();
  mkdirSync(join(root, 'new'));
  mkdirSync(join(root, 'empty'));
  const anHourAgo = Date.now() / 1000 - 3600;
  utimesSync(join(root, 'empty'), anHourAgo, anHourAgo);
  expect(await pruneRuns(Date.now(), root)).toMatchObject([{ runId: 'empty', action: 'removed' }]);
  expect(existsSync(join(root, 'new'))).toBe(true);
});

test('the temporary file of a crash goes, everything else stays', async () => {
  const root = temporaryRoot();
  const run = await deadRun(root, 'run', 'a browser');
  const temporary = join(run.path, '.record.json.7c9e6679-7425-40de-944b-e07fc1f90ae7.tmp');
  writeFileSync(temporary, 'half a rec');
  writeFileSync(join(run.path, 'run.log'), '');
  await pruneRuns(Date.now(), root);
  expect(existsSync(temporary)).toBe(false);
  expect(existsSync(join(run.path, 'run.log'))).toBe(true);
});

test('what a dead run left elsewhere goes at once, a live run’s stays', async () => {
  const root = temporaryRoot();
  const elsewhere = temporaryRoot();
  const scratchOf = (runId: string): string => {
    const scratch = join(elsewhere, scratchName(runId));
    mkdirSync(join(scratch, 'trial-0/profile'), { recursive: true });
    return scratch;
  };
  const live = await RunDirectory.create('live', { root });
  await live.writeJournal({ scratch: scratchOf('live'), temporaryRecord: null });
  const dead = await deadRun(root, 'dead', null);
  await dead.writeRecord(exampleRecord('dead'));
  await dead.writeJournal({ scratch: scratchOf('dead'), temporaryRecord: null });

  const [pruned] = await pruneRuns(Date.now(), root);
  expect(pruned).toMatchObject({ runId: 'dead', files: [join(elsewhere, 'towline-dead')] });
  expect(readdirSync(elsewhere)).toEqual(['towline-live']);
});
