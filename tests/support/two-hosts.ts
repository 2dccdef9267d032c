import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificates } from '../../lab/servers/certificates.ts';
import { freePorts } from '../../lab/servers/free-ports.ts';
import { startServer } from '../../lab/servers/start-server.ts';
import { trustInHome } from './test-servers.ts';

const names = ['one.towline.test', 'two.towline.test'] as const;

/** Two hosts that offer HTTP/3 by Alt-Svc, on loopback, under names that only one Chromium and its children know. */
export interface TwoHosts {
  /** Of a page with four pictures on each host. */
  urls: readonly [one: string, two: string];
  /** A program that is Chromium, in whose sight the names exist. */
  chromium: string;
  /** A home directory whose browsers trust the hosts' authority. */
  home: string;
  /** With these Chromium speaks HTTP/3 to them once they have offered it. */
  flags: readonly string[];
  close(): Promise<void>;
}

export async function startTwoHosts(): Promise<TwoHosts> {
  const directory = await mkdtemp(join(tmpdir(), 'two-hosts-'));
  const [root, home] = [join(directory, 'site'), join(directory, 'home')];
  await Promise.all([mkdir(root), mkdir(home)]);
  const images = Array.from({ length: 4 }, (_, index) => `<img src="${index}.svg">`);
  await writeFile(
    join(root, 'index.html'),
    `<!doctype html><title>a host</title><link rel="icon" href="data:,">${images.join('')}`,
  );
  for (const index of images.keys()) {
    await writeFile(join(root, `${index}.svg`), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  }
  const certificates = await makeCertificates(join(directory, 'certificates'), names);
  await trustInHome(home, certificates.caPath);
  const addresses = ['127.0.0.1'];
  const ports = await freePorts(0, names.length, addresses);
  const servers = names.map((name, index) => ({ name, port: ports[index] ?? 0, addresses }));
  const setup = { server: 'caddy', maxStreams: null } as const;
  const server = await startServer(setup, directory, [], { servers, certificates, root });
  const [one = '', two = ''] = servers.map(({ name, port }) => `https://${name}:${port}/`);
  return {
    urls: [one, two],
    chromium: await makeChromium(directory),
    home,
    // HTTP/3 by an authority of one's own is for hosts of this list, which forces it too: on a port that nobody uses.
    flags: [`--origin-to-force-quic-on=${names.map((name) => `${name}:1`).join(',')}`],
    close: async () => {
      await server.close();
      await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

/** Chromium as it is, but with an /etc/hosts of its own: what it starts, the native host too, sees the same. */
async function makeChromium(directory: string): Promise<string> {
  const [hosts, program] = [join(directory, 'hosts'), join(directory, 'chromium')];
  await writeFile(hosts, `127.0.0.1 localhost ${names.join(' ')}\n`);
  const inside = 'mount --bind "$0" /etc/hosts && exec /usr/bin/chromium "$@"';
  await writeFile(program, `#!/bin/sh\nexec unshare --mount -- sh -c '${inside}' '${hosts}' "$@"\n`);
  await chmod(program, 0o755);
  return program;
}
