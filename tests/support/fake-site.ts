import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPage } from '../../lab/pages/build-page.ts';
import { makeCertificates } from '../../lab/servers/certificates.ts';
import { startCaddy } from '../../lab/servers/start-caddy.ts';
import type { Namespace } from '../../native-host/network/namespaces.ts';
import { worldAddresses } from './fake-host.ts';

/** A name that no resolver of the real world answers (RFC 6761). */
export const siteName = 'site.towline.test';

/**
 * Starts a site in the world of a fake host: a page of the lab over HTTP/1.1, 2 and 3, and the name server that
 * knows it.
 *
 * @param nameServer the built program name-server.ts
 * @returns address of the page, and PEM file of the authority that has signed for it
 */
export async function startFakeSite(
  world: Namespace,
  scratch: string,
  nameServer: string,
): Promise<{ url: string; caPath: string }> {
  const directory = join(scratch, 'site');
  const root = join(directory, 'files');
  await mkdir(root, { recursive: true });
  await Promise.all(buildPage('twitter').map(({ name, body }) => writeFile(join(root, name), body)));
  const certificates = await makeCertificates(join(directory, 'certificates'), [siteName]);
  await startCaddy(directory, world.enter, {
    servers: [{ name: siteName, port: 443, addresses: worldAddresses }],
    ...{ certificates, root },
  });

  const names = [worldAddresses.join(','), siteName, ...worldAddresses];
  const command = [...world.enter, process.execPath, nameServer, ...names];
  const server = spawn(command[0] ?? '', command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(server.stdout, 'data');
  return { url: `https://${siteName}/`, caPath: certificates.caPath };
}
