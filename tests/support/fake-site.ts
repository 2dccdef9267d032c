import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startSite } from '../../lab/start-site.ts';
import type { Namespace } from '../../native-host/network/namespaces.ts';
import { worldAddresses } from './fake-host.ts';

/** A name that no resolver of the real world answers (RFC 6761). */
export const siteName = 'site.towline.test';

/**
 * Starts a site in the world of a fake host: the lab's server with the lab's pages over HTTP/1.1, 2 and 3, as
 * `towline lab serve` starts it, and the name server that knows it.
 *
 * @param nameServer the built program name-server.ts
 * @returns address of a page, and PEM file of the authority that has signed for it
 */
export async function startFakeSite(
  world: Namespace,
  scratch: string,
  nameServer: string,
): Promise<{ url: string; caPath: string }> {
  const directory = join(scratch, 'site');
  await mkdir(directory);
  const { caPath } = await startSite(
    directory,
    { server: 'caddy', maxStreams: null },
    { name: siteName, ports: [443], addresses: worldAddresses, enter: world.enter },
  );

  const names = [worldAddresses.join(','), siteName, ...worldAddresses];
  const command = [...world.enter, process.execPath, nameServer, ...names];
  const server = spawn(command[0] ?? '', command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(server.stdout, 'data');
  return { url: `https://${siteName}/twitter/`, caPath };
}
