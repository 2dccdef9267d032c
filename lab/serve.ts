import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LabSetup } from '../shared/record/lab-setup.ts';
import { requireTools } from '../native-host/network/find-tool.ts';
import { freePorts } from './servers/free-ports.ts';
import { requireServer } from './servers/start-server.ts';
import { startSite } from './start-site.ts';

/** The lab's pages on this machine's loopback, without a network of their own. */
export interface ServedLab {
  /** Of the list of pages; each page is at its name below it. */
  url: string;
  /** Of the first server. */
  port: number;
  /** Host name of all servers. */
  name: string;
  /** Of every server, the documents' first. */
  ports: number[];
  addresses: string[];
  spki: string;
  caPath: string;
  server: string;
  /** Settles, with the server's last words, when it has ended by itself. */
  ended: Promise<string>;
  close(): Promise<void>;
}

export interface ServeOptions {
  /** Of the first server, those of the others follow it; 0 for any that are free. */
  port?: number;
  /** Here a server is told from the next by its port: to one address a browser makes one connection for all names. */
  setup?: Pick<LabSetup, 'server' | 'shards' | 'maxStreams'>;
}

const oneCaddy = { server: 'caddy', shards: 1, maxStreams: null } as const;

export const defaultLabPort = 8443;

const name = 'localhost';
const directoryPrefix = 'towline-lab-';
/** The server dies with this process, however that ends. */
const diesWithUs = ['setpriv', '--pdeathsig', 'KILL', '--'];

/**
 * Serves all pages on https://localhost, over every protocol that the server speaks. The server dies with this
 * process; its files are removed on close, or, if this process is killed, by the next one.
 * @throws TowlineError `server-failed` where a port is taken, `server-missing`
 */
export async function serveLab({
  port: asked = defaultLabPort,
  setup = oneCaddy,
}: ServeOptions = {}): Promise<ServedLab> {
  requireTools(['setpriv'], 'serve the lab', 'server-missing', 'lab');
  requireServer(setup.server);
  const addresses = loopbackAddresses();
  const ports = await freePorts(asked, setup.shards, addresses);
  const [port = asked] = ports;
  await removeLeftovers();
  const directory = await mkdtemp(join(tmpdir(), `${directoryPrefix}${process.pid}-`));
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    const place = { name, ports, addresses, enter: diesWithUs };
    const { server, spki, caPath } = await startSite(directory, setup, place);
    return {
      url: `https://${name}:${port}/`,
      ...{ name, port, ports },
      addresses,
      spki,
      caPath,
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
