import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { registerLab, runningLabs } from '../../../../native-host/runs/lab-registry.ts';
import { temporaryRoot } from './temporary-root.ts';

const lab = {
  id: '0123abcd',
  kind: 'served',
  url: 'https://localhost:8443/',
  servers: [{ name: 'localhost', port: 8443, addresses: ['127.0.0.1', '::1'] }],
} as const;
const asked = { ...lab, servers: [{ ...lab.servers[0], addresses: [...lab.servers[0].addresses] }] };

test('a lab is known, with whose it is, from when it is registered until it is forgotten', async () => {
  const root = temporaryRoot();
  expect(await runningLabs(root)).toEqual([]);
  const forget = await registerLab(asked, root);
  const [found, ...others] = await runningLabs(root);
  expect(others).toEqual([]);
  expect(found?.lab).toMatchObject({ ...lab, pid: process.pid, user: userInfo().username });
  await forget();
  expect(await runningLabs(root)).toEqual([]);
});

test('the entry of a process that has ended is no lab, and goes', async () => {
  const root = temporaryRoot();
  await registerLab(asked, root);
  const path = join(root, 'labs', '0123abcd.json');
  const entry = JSON.parse(await readFile(path, 'utf8')) as { owner: { pid: number } };
  const dead = spawn('true');
  await once(dead, 'exit');
  // The kernel gives pids in turn, so that this one is not given again at once; its start would differ anyway.
  await writeFile(path, JSON.stringify({ ...entry, owner: { ...entry.owner, pid: dead.pid } }));
  expect(await runningLabs(root)).toEqual([]);
  expect(await readdir(join(root, 'labs'))).toEqual([]);
});

test('damaged entries do not hide the others', async () => {
  const root = temporaryRoot();
  await registerLab(asked, root);
  await writeFile(join(root, 'labs', 'x.json'), '{"lab":');
  expect((await runningLabs(root)).map(({ lab: { id } }) => id)).toEqual(['0123abcd']);
});
