import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pruneScratch } from '../../../../native-host/runs/prune-scratch.ts';
import { temporaryRoot } from './temporary-root.ts';

test('only old directories of runs are removed, and nothing that a link leads to', async () => {
  const root = temporaryRoot();
  const elsewhere = temporaryRoot();
  writeFileSync(join(elsewhere, 'precious'), '');
  const twoDaysAgo = Date.now() / 1000 - 2 * 24 * 3600;
  for (const name of ['towline-oldOne', 'towline-newOne', 'towline-test-abc', 'another']) {
    mkdirSync(join(root, name, 'profile'), { recursive: true });
    if (name !== 'towline-newOne') utimesSync(join(root, name), twoDaysAgo, twoDaysAgo);
  }
  symlinkSync(elsewhere, join(root, 'towline-linked'));
  symlinkSync(elsewhere, join(root, 'towline-oldOne', 'link'));
  utimesSync(join(root, 'towline-oldOne'), twoDaysAgo, twoDaysAgo);

  expect(await pruneScratch(Date.now(), root)).toEqual([join(root, 'towline-oldOne')]);
  expect(readdirSync(root).sort()).toEqual([
    'another',
    'towline-linked',
    'towline-newOne',
    'towline-test-abc',
  ]);
  expect(readdirSync(elsewhere)).toEqual(['precious']);
});
