/**
 * Opens a lab in the capsule it is started in, and prints what a test asks of it as JSON.
 * Argument: `{page, setup, shape, meet?}`. With `meet`, it tells that it is open by making that file, and goes on when
 * the other file is there too.
 */
import { measureBeforeUse } from '../../../../native-host/comparison/measure-before-use.ts';
import { execFile, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openLab } from '../../../../lab/open-lab.ts';
import type { PageName } from '../../../../lab/pages/page-models.ts';
import { enterCapsule } from '../../../../native-host/network/enter-capsule.ts';
import type { LabSetup } from '../../../../shared/record/lab-setup.ts';
import type { Shape } from '../../../../shared/record/path.ts';
import { linkAliases } from '../../../support/link-aliases.ts';

interface Argument {
  page: PageName;
  setup: LabSetup;
  shape: Shape | null;
  measure?: boolean;
  /** Paths to fetch by curl, each by HTTP/1.1 and HTTP/2. */
  fetch?: string[];
  /** Tells the congestion control of both ends of a download, as the kernel does. */
  congestion?: boolean;
  meet?: { own: string; other: string };
  /** Keeps it open until it is killed. */
  hold?: boolean;
}

/** Asks for a file and does not read it, so that the connection lasts: curl is done with it in a moment at any rate. */
const slowDownload = `
const [host, path] = process.argv.slice(1);
const socket = require('node:tls').connect({ host, port: 443, servername: host, rejectUnauthorized: false });
socket.once('secureConnect', () => socket.write('GET ' + path + ' HTTP/1.1\\r\\nHost: ' + host + '\\r\\n\\r\\n'));
// A socket that nobody reads keeps no process alive.
setInterval(() => undefined, 1000);
`;

const run = promisify(execFile);
const argument = JSON.parse(process.argv[2] ?? '') as Argument;
const { page, setup, shape } = argument;
const lab = await openLab({ page, setup, shape, capsule: await enterCapsule('towline-test-run') });
const measured = argument.measure === true ? (await measureBeforeUse(lab.path)).measured : null;
if (argument.meet !== undefined) {
  writeFileSync(argument.meet.own, '');
  while (!existsSync(argument.meet.other)) await sleep(20);
}

const trial = await lab.path.openTrial();
const fetched: { path: string; version: string; status: number; bytes: number }[] = [];
for (const path of argument.fetch ?? []) {
  for (const version of ['--http1.1', '--http2']) {
    const format = '%{http_version} %{http_code} %{size_download}';
    const curl = [
      'curl',
      '--silent',
      '--cacert',
      lab.caPath,
      version,
      '--output',
      '/dev/null',
      '--write-out',
      format,
    ];
    const { stdout } = await run('nsenter', [...trial.enter.slice(1), ...curl, new URL(path, lab.url).href]);
    const [spoken = '', status, bytes] = stdout.split(' ');
    fetched.push({ path, version: spoken, status: Number(status), bytes: Number(bytes) });
  }
}
const congestion = argument.congestion === true ? await congestionOfDownload() : null;
const [enter = '', ...inside] = trial.enter;
const routes = (await run(enter, [...inside, 'ip', 'route'])).stdout;
const links = await linkAliases([[], ['nsenter', '--net=/run/netns/server', '--'], trial.enter]);
const resolver = await readFile('/etc/resolv.conf', 'utf8');
const { url, servers, resources, bytes, server, path } = lab;
const told = {
  url,
  servers,
  resources,
  bytes,
  server,
  router: path.router,
  measured,
  fetched,
  congestion,
  routes,
  links,
  resolver,
};
if (argument.hold === true) {
  process.stdout.write('held\n');
  await sleep(600_000);
}
await trial.close();
await lab.close();
process.stdout.write(JSON.stringify(told), () => process.exit());

/** The name of the algorithm at each end, by ss(8), while a slow download lasts. */
async function congestionOfDownload(): Promise<{ browser: string; server: string }> {
  const { hostname, pathname } = new URL(lab.url);
  const node = [process.execPath, '-e', slowDownload, hostname, pathname];
  const [program = '', ...inside] = trial.enter;
  const download = spawn(program, [...inside, ...node], { stdio: 'ignore' });
  try {
    const [browser, server] = await Promise.all([
      congestionIn(trial.enter),
      congestionIn(['nsenter', '--net=/run/netns/server', '--']),
    ]);
    return { browser, server };
  } finally {
    download.kill();
  }
}

/** Asks until there is a connection to ask about. */
async function congestionIn([program = '', ...inside]: readonly string[]): Promise<string> {
  for (;;) {
    const { stdout } = await run(program, [...inside, 'ss', '-tinH', 'state', 'established']);
    const [, name] = /^\s+(?:ts |sack |ecn |ecnseen |fastopen )*(\w+) wscale/m.exec(stdout) ?? [];
    if (name !== undefined) return name;
    await sleep(50);
  }
}
