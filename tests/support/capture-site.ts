import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { PageFile } from '../../lab/pages/build-page.ts';
import { makeCertificates, type Certificates } from '../../lab/servers/certificates.ts';
import { startCaddy } from '../../lab/servers/start-caddy.ts';
import { chromiumArmFlags } from '../../native-host/arms/chromium-arms.ts';
import { chromiumFlags } from '../../native-host/browser/chromium-flags.ts';
import { findBrowser } from '../../native-host/browser/find-browser.ts';
import { launchChromium } from '../../native-host/browser/launch-chromium.ts';
import type { Arm } from '../../shared/record/arm.ts';
import {
  addAddress,
  end,
  inside,
  joinToRouter,
  openNamespace,
  type Addresses,
  type HeldNamespace,
} from './held-namespace.ts';

const run = promisify(execFile);

/** For a busy machine: usually a few ms. */
const markTimeoutMs = 20_000;

const clientAddresses = { 4: '10.20.1.2', 6: 'fd20:1::2' } as const;

function serverAddress(index: number): Addresses {
  return { 4: `10.20.2.${2 + index}`, 6: `fd20:2::${2 + index}` };
}

/** One page load as tcpdump saw it at the browser's end, and the browser's keys. */
export interface CapturedLoad {
  readonly pcapFile: string;
  readonly keyLogFile: string;
}

export interface LoadOptions {
  readonly arm: Exclude<Arm, 'auto'>;
  readonly browser?: 'chromium' | 'firefox';
  /** Of the page, on the first of the site's names. */
  readonly path: string;
  readonly ipVersion?: 4 | 6;
}

/**
 * A browser, a router and a web server in network namespaces of their own, with nothing else on the wire: the
 * simplest network in which a packet can be lost between two ends that know nothing of it.
 */
export interface CaptureSite {
  /** Loads a page in a new browser. */
  load(options: LoadOptions): Promise<CapturedLoad>;
  /** Runs `during` while of each 100 packets towards the browser one is lost, at random. */
  withLoss<Result>(during: () => Promise<Result>): Promise<Result>;
  /** Argument array to put before a program, to run it where the browser runs. */
  readonly enterClient: readonly string[];
  readonly enterServer: readonly string[];
  /** Of the host names, in their order. */
  readonly serverAddresses: readonly [Addresses, ...Addresses[]];
  close(): Promise<void>;
}

/**
 * @param files of the site
 * @param names host names under which it is served, each at an address of its own with the same files
 */
export async function openCaptureSite(
  files: readonly PageFile[],
  names: readonly [string, ...string[]] = ['www.towline.test'],
): Promise<CaptureSite> {
  const directory = await mkdtemp(join(tmpdir(), 'capture-site-'));
  const closers = [() => rm(directory, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const closer of closers) await closer();
  };
  try {
    const [client, router, server] = await Promise.all([openNamespace(), openNamespace(), openNamespace()]);
    for (const namespace of [client, router, server]) closers.unshift(() => end(namespace.holder));
    await joinToRouter(router, client, 'client', clientAddresses, ['10.20.1.1', 'fd20:1::1']);
    const [firstAddress, ...moreAddresses] = names.map((_name, index) => serverAddress(index));
    if (firstAddress === undefined) throw new Error('A site needs a name.');
    await joinToRouter(router, server, 'server', firstAddress, ['10.20.2.1', 'fd20:2::1']);
    for (const address of moreAddresses) await addAddress(server, 'wire', address);
    const serverAddresses = [firstAddress, ...moreAddresses] as const;
    await inside(router, ['sysctl', '-qw', 'net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1']);

    const root = join(directory, 'site');
    await mkdir(root);
    for (const { name, body } of files) {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), body);
    }
    const certificates = await makeCertificates(join(directory, 'certificates'), names);
    const caddy = await startCaddy(directory, server.enter, {
      servers: names.map((name, index) => ({
        name,
        port: 443,
        addresses: Object.values(serverAddress(index)),
      })),
      certificates,
      root,
    });
    closers.unshift(() => caddy.close());

    let loads = 0;
    return {
      load: async (options) => {
        const name = `${++loads}-${options.arm}`;
        return await capturedLoad(options, { name, directory, names, certificates, client });
      },
      withLoss: async (during) => {
        for (const rule of lossRules) await inside(router, rule);
        try {
          return await during();
        } finally {
          await inside(router, ['nft', 'delete', 'table', 'inet', 'loss']);
        }
      },
      enterClient: client.enter,
      enterServer: server.enter,
      serverAddresses,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Packets from the server that the router drops. */
const lossRules = [
  ['nft', 'add', 'table', 'inet', 'loss'],
  ['nft', 'add', 'chain', 'inet', 'loss', 'passing', '{ type filter hook forward priority 0 ; }'],
  [
    ...['nft', 'add', 'rule', 'inet', 'loss', 'passing', 'oifname', 'client'],
    ...['numgen', 'random', 'mod', '100', '==', '0', 'drop'],
  ],
];

/** What a load needs of its site. */
interface LoadPlace {
  readonly name: string;
  readonly directory: string;
  readonly names: readonly string[];
  readonly certificates: Certificates;
  readonly client: HeldNamespace;
}

async function capturedLoad(options: LoadOptions, place: LoadPlace): Promise<CapturedLoad> {
  const file = (ending: string): string => join(place.directory, `${place.name}.${ending}`);
  const load = { pcapFile: file('pcap'), keyLogFile: file('keys') };
  const tcpdump = await startTcpdump(place.client, load.pcapFile);
  try {
    const loadPage = options.browser === 'firefox' ? loadInFirefox : loadInChromium;
    await loadPage(options, place, load.keyLogFile, file('profile'));
    await waitForMark(place.client, load.pcapFile);
  } finally {
    await end(tcpdump, 'SIGINT');
  }
  return load;
}

async function loadInChromium(
  { arm, path, ipVersion = 4 }: LoadOptions,
  { names, certificates, client }: LoadPlace,
  keyLogFile: string,
  profileDirectory: string,
): Promise<void> {
  const browser = await findBrowser('chromium');
  if (browser === null) throw new Error('This test needs Chromium.');
  const rules = names.map((name, index) => {
    const address = serverAddress(index)[ipVersion];
    return `MAP ${name} ${ipVersion === 4 ? address : `[${address}]`}`;
  });
  const origins = names.map((name) => `${name}:443`);
  const flags = chromiumFlags({
    profileDirectory,
    headless: true,
    armFlags: [...chromiumArmFlags(arm, origins), `--host-resolver-rules=${rules.join(', ')}`],
    keyLogFile,
    trustedKeyHash: certificates.spki,
    withoutSandbox: process.getuid?.() === 0,
    extensions: false,
  });
  const { executable } = browser;
  const managed = await launchChromium({
    ...{
      executable,
      wrapper: client.enter,
      flags,
      ownDirectory: profileDirectory,
      temporaryDirectory: null,
      sandboxRemedy: null,
    },
  });
  try {
    await managed.page.goto(`https://${names[0] ?? ''}/${path}`, { waitUntil: 'networkidle0' });
  } finally {
    managed.kill();
  }
}

/** Firefox ends by itself once it has made a picture of the loaded page. */
async function loadInFirefox(
  { arm, path, ipVersion = 4 }: LoadOptions,
  { names, certificates, client }: LoadPlace,
  keyLogFile: string,
  profileDirectory: string,
): Promise<void> {
  await mkdir(profileDirectory);
  const database = ['-d', `sql:${profileDirectory}`];
  await run('certutil', [...database, '-N', '--empty-password']);
  await run('certutil', [...database, '-A', '-n', 'lab', '-t', 'C,,', '-i', certificates.caPath]);
  const preferences = {
    'network.http.http2.enabled': arm !== 'h1',
    'network.http.http3.enable': arm === 'h3',
    'network.http.http3.disable_when_third_party_roots_found': false,
    'network.http.http3.alt-svc-mapping-for-testing':
      arm === 'h3' ? names.map((name) => `${name};h3=:443`).join(',') : '',
    // Every name, so pages of one server only.
    'network.dns.forceResolve': serverAddress(0)[ipVersion],
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'app.normandy.enabled': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'services.settings.server': 'data:,#remote-settings-dummy/v1',
  };
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
  );
  await writeFile(join(profileDirectory, 'user.js'), lines.join('\n'));
  const [program = '', ...args] = [
    ...client.enter,
    ...['firefox-esr', '--headless', '--no-remote', '--profile', profileDirectory],
    ...['--screenshot', join(profileDirectory, 'page.png'), `https://${names[0] ?? ''}/${path}`],
  ];
  const environment = { ...process.env, HOME: profileDirectory, SSLKEYLOGFILE: keyLogFile };
  await run(program, args, { env: environment, timeout: 60_000 });
}

/** Sends a datagram that says so, and waits until it is in the file: then all before it is, too. */
async function waitForMark(client: HeldNamespace, pcapFile: string): Promise<void> {
  const mark = 'end of this page load';
  const send = `require('node:dgram').createSocket('udp4').send('${mark}', 9, '${serverAddress(0)[4]}', () => process.exit())`;
  await inside(client, [process.execPath, '-e', send]);
  const deadlineMs = Date.now() + markTimeoutMs;
  while (!(await readFile(pcapFile)).includes(mark)) {
    if (Date.now() > deadlineMs) throw new Error('tcpdump did not write its packets in time.');
    await setTimeout(10);
  }
}

async function startTcpdump(
  { enter: [program = '', ...args] }: HeldNamespace,
  file: string,
): Promise<ChildProcess> {
  // A buffer of 256 MB: on a busy machine tcpdump lags behind, and what does not fit is lost.
  const buffer = ['-B', '262144', '--immediate-mode', '-U'];
  const options = ['-i', 'wire', '-s', '0', ...buffer, '-Z', 'root', '-w', file];
  const tcpdump = spawn(program, [...args, 'tcpdump', ...options], { stdio: ['ignore', 'ignore', 'pipe'] });
  // It says "listening on ..." once it does.
  await once(tcpdump.stderr, 'data');
  return tcpdump;
}
