import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { TowlineError } from '../shared/errors/towline-error.ts';
import { requireTools } from '../native-host/network/find-tool.ts';
import { buildPage } from './pages/build-page.ts';
import { indexPage } from './pages/index-page.ts';
import { pageNames } from './pages/page-models.ts';
import { makeCertificates } from './servers/certificates.ts';
import { startCaddy } from './servers/start-caddy.ts';

/** The lab's pages on this machine's loopback, without a network of their own. */
export interface ServedLab {
  /** Of the list of pages; each page is at its name below it. */
  url: string;
  port: number;
  spki: string;
  caPath: string;
  server: string;
  /** Settles, with the server's last words, when it has ended by itself. */
  ended: Promise<string>;
  close(): Promise<void>;
}

export const defaultLabPort = 8443;

const directoryPrefix = 'towline-lab-';

/**
 * Serves all pages over HTTP/1.1, 2 and 3 on https://localhost. The server dies with this process; its files are
 * removed on close, or, if this process is killed, by the next one.
 * @param port 0 for any that is free
 * @throws TowlineError `server-failed` where the port is taken, `server-missing`
 */
export async function serveLab({ port: asked = defaultLabPort }: { port?: number } = {}): Promise<ServedLab> {
  requireTools(['caddy', 'openssl', 'setpriv'], 'serve the lab', 'server-missing', 'lab');
  const addresses = loopbackAddresses();
  const port = asked === 0 ? await anyFreePort(addresses) : asked;
  if (!(await isFree(port, addresses))) {
    throw new TowlineError('server-failed', 'lab', `Port ${port} is taken by another program.`, {
      remedy: `Choose another: towline lab serve --port ${port + 1}.`,
    });
  }
  await removeLeftovers();
  const directory = await mkdtemp(join(tmpdir(), `${directoryPrefix}${process.pid}-`));
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    const root = join(directory, 'site');
    await writePages(root);
    const certificates = await makeCertificates(join(directory, 'certificates'), ['localhost', ...addresses]);
    const diesWithUs = ['setpriv', '--pdeathsig', 'KILL', '--'];
    const names = ['localhost'];
    const server = await startCaddy(directory, diesWithUs, { names, port, addresses, certificates, root });
    return {
      url: `https://localhost:${port}/`,
      port,
      spki: certificates.spki,
      caPath: certificates.caPath,
      server: server.name,
      ended: server.ended,
      async close() {
        await server.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function writePages(root: string): Promise<void> {
  for (const page of pageNames) {
    await mkdir(join(root, page), { recursive: true });
    for (const { name, body } of buildPage(page)) await writeFile(join(root, page, name), body);
  }
  await writeFile(join(root, 'index.html'), indexPage());
}

function loopbackAddresses(): string[] {
  const own = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
  return ['127.0.0.1', ...(own.includes('::1') ? ['::1'] : [])];
}

/** Directories of processes that live no more. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(directoryPrefix)
      ? /^\d+/.exec(name.slice(directoryPrefix.length))?.[0]
      : undefined;
    if (pid === undefined || isAlive(Number(pid))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

const tries = 20;

async function anyFreePort(addresses: readonly string[]): Promise<number> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const port = await listenOnTcp(0, '127.0.0.1');
    if (port !== null && (await isFree(port, addresses))) return port;
  }
  throw new TowlineError('server-failed', 'lab', 'No free port was found on the loopback.');
}

/** HTTP/1.1 and 2 need the TCP port, HTTP/3 the UDP port. */
async function isFree(port: number, addresses: readonly string[]): Promise<boolean> {
  for (const address of addresses) {
    if ((await listenOnTcp(port, address)) === null || !(await bindUdp(port, address))) return false;
  }
  return true;
}

/** @returns the port, or null where it cannot be had */
function listenOnTcp(port: number, address: string): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => {
      resolve(null);
    });
    server.listen(port, address, () => {
      const bound = server.address();
      server.close(() => {
        resolve(bound !== null && typeof bound === 'object' ? bound.port : null);
      });
    });
  });
}

function bindUdp(port: number, address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind(port, address, () => {
      socket.close(() => {
        resolve(true);
      });
    });
  });
}
