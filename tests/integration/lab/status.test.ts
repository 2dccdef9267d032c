import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LabDownSchema, LabStatusSchema } from '../../../shared/messages/lab-status.ts';
import { leftovers, machineState } from '../../support/leftovers.ts';
import { startTowline, towline } from '../../support/towline.ts';

const run = promisify(execFile);

let state: string;
let environment: Record<string, string>;
beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), 'lab-status-'));
  environment = { XDG_STATE_HOME: state };
});
afterAll(async () => {
  await rm(state, { recursive: true, force: true });
});

async function labs() {
  const { stdout } = await towline(['lab', 'status', '--json'], { environment });
  return v.parse(LabStatusSchema, JSON.parse(stdout)).labs;
}

/** Waits until so many labs run. */
async function untilThereAre(count: number) {
  for (;;) {
    const found = await labs();
    if (found.length === count) return found;
  }
}

test('a served lab of three servers and a comparison are known by status, and down ends them', async () => {
  const before = await machineState();
  const serve = ['lab', 'serve', '--port', '0', '--shards', '3', '--server', 'apache', '--streams', '6'];
  const served = startTowline(serve, { environment });
  const [lab] = await untilThereAre(1);
  expect(lab).toMatchObject({ kind: 'served', user: userInfo().username });
  expect(Math.abs(Date.now() - Date.parse(lab?.startedAt ?? ''))).toBeLessThan(60_000);

  // The document names the second and the third server in turn.
  const [ports, url] = [lab?.servers.map(({ port }) => port) ?? [], `${lab?.url ?? ''}twitter/`];
  expect(ports).toHaveLength(3);
  const curl = async (...args: string[]) => (await run('curl', ['--silent', '--insecure', ...args])).stdout;
  const html = await curl('--http2', url);
  const asked = [...html.matchAll(/src="([^"]+)"/g)].map(([, address = '']) => new URL(address, url));
  expect(new Set(asked.map(({ port }) => Number(port)))).toEqual(new Set(ports));
  for (const address of asked) {
    const size = ['--output', '/dev/null', '--write-out', '%{size_download}'];
    expect(await curl(...size, address.href)).toBe('46400');
  }

  const compared = startTowline(['compare', 'lab:twitter', '--arms', 'h1', '--rounds', '500'], {
    environment,
  });
  const [, comparison] = await untilThereAre(2);
  expect(comparison).toMatchObject({
    kind: 'comparison',
    url: 'https://lab.towline.test/twitter/',
    servers: [{ name: 'lab.towline.test', port: 443, addresses: ['198.18.0.248', '2001:2::1:f8'] }],
  });
  await compared.heard(/Trial 1 of/);

  const unclear = await towline(['lab', 'down'], { environment });
  expect(unclear.status).toBe(2);
  expect(unclear.stderr).toContain('--all');

  const one = await towline(['lab', 'down', comparison?.id ?? '', '--json'], { environment });
  expect(v.parse(LabDownSchema, JSON.parse(one.stdout))).toEqual({ down: [comparison], left: [] });
  expect((await compared.ended).stderr).toContain('Stopping; finished trials are kept.');

  const rest = await towline(['lab', 'down'], { environment });
  expect(rest.stdout).toContain(`Down: ${lab?.id ?? ''}`);
  expect(await served.ended).toMatchObject({ status: 0 });
  expect(await labs()).toEqual([]);
  // The kernel ends the server and its children; nobody listens any more.
  const answers = (): Promise<boolean> =>
    curl(url).then(
      () => true,
      () => false,
    );
  while (await answers());
  expect((await towline(['lab', 'status'], { environment })).stdout).toContain('No lab of yours runs.');
  expect(await leftovers(before)).toEqual([]);
});
