import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RunDirectory } from '../../../../native-host/runs/run-directory.ts';
import { scratchName } from '../../../../native-host/runs/prune-scratch.ts';
import { takeBack } from '../../../../native-host/runs/take-back.ts';
import { temporaryFileOf } from '../../../../native-host/runs/write-file-atomically.ts';
import { temporaryRoot } from './temporary-root.ts';

test('what the journal names goes, and nothing beside it', async () => {
  const elsewhere = temporaryRoot();
  const scratch = join(elsewhere, scratchName('run-a'));
  const record = join(elsewhere, 'record.json');
  const temporaryRecord = temporaryFileOf(record, 'run-a');
  mkdirSync(join(scratch, 'trial-0/profile'), { recursive: true });
  for (const file of [record, temporaryRecord, temporaryFileOf(record, 'run-b')]) writeFileSync(file, '{');

  const run = await RunDirectory.create('run-a', { root: temporaryRoot() });
  await run.writeJournal({ scratch, temporaryRecord });
  expect(await takeBack(run)).toEqual([scratch, temporaryRecord]);
  expect(readdirSync(elsewhere).sort()).toEqual(['.record.json.run-b.tmp', 'record.json']);
  expect(await run.readJournal()).toBeNull();
  expect(await takeBack(run)).toEqual([]);
});

test('a link in the place of the directory is not followed, and a directory of another name is left', async () => {
  const elsewhere = temporaryRoot();
  const precious = join(elsewhere, 'precious');
  mkdirSync(precious);
  const link = join(elsewhere, scratchName('run-c'));
  symlinkSync(precious, link);
  const run = await RunDirectory.create('run-c', { root: temporaryRoot() });
  for (const scratch of [link, precious]) {
    await run.writeJournal({ scratch, temporaryRecord: null });
    expect(await takeBack(run)).toEqual([]);
  }
  expect(existsSync(precious)).toBe(true);
});

test('a directory that a dying browser makes anew goes too', async () => {
  const scratch = join(temporaryRoot(), scratchName('run-d'));
  mkdirSync(scratch);
  const run = await RunDirectory.create('run-d', { root: temporaryRoot() });
  await run.writeJournal({ scratch, temporaryRecord: null });
  const taken = takeBack(run);
  while (existsSync(scratch)) await new Promise(setImmediate);
  mkdirSync(join(scratch, 'trial-0/profile'), { recursive: true });
  expect(await taken).toEqual([scratch]);
  expect(existsSync(scratch)).toBe(false);
});
