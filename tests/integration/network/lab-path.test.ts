import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { capsuleCommand } from '../../../native-host/network/capsule.ts';
import { parseShape } from '../../../native-host/network/parse-shape.ts';
import { buildPrograms, runInCapsule } from '../../support/capsule-program.ts';
import { leftovers, machineState } from '../../support/leftovers.ts';
import { parseLabSetup } from '../../../native-host/commands/lab-options.ts';

const setup = parseLabSetup({}, ['h1', 'h2', 'h3']);

let program: string;
let directory: string;
beforeAll(async () => {
  program = (await buildPrograms(['lab-program']))['lab-program'];
  directory = await mkdtemp(join(tmpdir(), 'lab-path-'));
});
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

test('a shaped lab measures as asked, serves exact bytes, and leaves nothing behind', async () => {
  const before = await machineState();
  const files = ['index.html', 'style-1.css', 'script-5.js', 'picture-42.png'];
  const told = await runInCapsule('lab', program, {
    page: 'youtube',
    setup,
    shape: parseShape('rtt=150ms,down=1mbit,up=1mbit,queue=256'),
    measure: true,
    fetch: [...files.slice(1), './', 'picture-43.png'],
  });
  expect(told).toMatchObject({
    url: 'https://lab.towline.test/youtube/',
    servers: [{ name: 'lab.towline.test', address: '198.18.0.248' }],
    // Elkhatib et al. 2014: 50 resources of 10.63 KB.
    ...{ resources: 50, bytes: 531_500 },
    measured: { rttSamples: 20, deviations: [] },
  });
  const { fetched, routes, links } = told as { fetched: object[]; routes: string; links: string[] };
  const ok = (path: string) => ['1.1', '2'].map((version) => ({ path, version, status: 200, bytes: 10_630 }));
  expect(fetched.slice(0, 8)).toEqual([...files.slice(1), './'].flatMap(ok));
  expect(fetched.slice(8)).toMatchObject([{ status: 404 }, { status: 404 }]);
  expect(routes).toMatch(/default via \S+ dev eth0 .*initcwnd 10 .*congctl cubic/);
  // Trial to edge, edge to router, router to servers, as ip-link(8) shows them.
  const ends = ['tl0-t', 'tl0-edge', 'tl0-far', 'eth0'];
  const named = links.map((link) => link.replace(/^(tl0-t)\d+/, '$1'));
  expect(named.toSorted()).toEqual(ends.map((end) => `${end} towline-test-run`).toSorted());
  expect(await leftovers(before)).toEqual([]);
});

test("a download uses the congestion control asked for at both ends, whatever the host's default is", async () => {
  const hostDefault = (await readFile('/proc/sys/net/ipv4/tcp_congestion_control', 'utf8')).trim();
  const asked = hostDefault === 'cubic' ? 'reno' : 'cubic';
  const told = await runInCapsule('lab', program, {
    page: 'twitter',
    setup: parseLabSetup({ congestion: asked }, ['h1']),
    shape: null,
    congestion: true,
  });
  expect(told).toMatchObject({ congestion: { browser: asked, server: asked } });
});

test('two labs at once do not meet, though their addresses are the same', async () => {
  const [first, second] = [join(directory, 'first'), join(directory, 'second')];
  const fetch = ['/twitter/', '/imgur/'];
  const [twitter, imgur] = await Promise.all([
    runInCapsule('lab', program, {
      page: 'twitter',
      setup,
      shape: null,
      fetch,
      meet: { own: first, other: second },
    }),
    runInCapsule('lab', program, {
      page: 'imgur',
      setup,
      shape: null,
      fetch,
      meet: { own: second, other: first },
    }),
  ]);
  const statuses = (told: unknown) =>
    (told as { fetched: { status: number }[] }).fetched.map(({ status }) => status);
  expect(statuses(twitter)).toEqual([200, 200, 404, 404]);
  expect(statuses(imgur)).toEqual([404, 404, 200, 200]);
});

/** A process that owns a capsule, as the command line owns the engine, so that it can be killed. */
const owner = `
const { spawn } = require('node:child_process');
const [program, ...args] = JSON.parse(process.argv[1]);
spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
setInterval(() => undefined, 1000);
`;

test('a lab whose owner is killed leaves nothing behind', async () => {
  const before = await machineState();
  const argument = { page: 'twitter', setup, shape: parseShape('rtt=20ms,down=8mbit'), hold: true };
  const asRoot = process.getuid?.() === 0;
  const command = capsuleCommand('lab', asRoot, [process.execPath, program, JSON.stringify(argument)]);
  const child = spawn(process.execPath, ['-e', owner, JSON.stringify(command)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  expect(await lines.next()).toMatchObject({ value: 'held' });
  child.kill('SIGKILL');
  expect(await leftovers(before)).toEqual([]);
});
