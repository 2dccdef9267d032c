import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LabSetup } from '../shared/record/lab-setup.ts';
import { indexPage } from './pages/index-page.ts';
import { pageNames } from './pages/page-models.ts';
import { writeSite } from './pages/write-site.ts';
import { makeCertificates } from './servers/certificates.ts';
import type { RunningServer } from './servers/run-server.ts';
import { startServer } from './servers/start-server.ts';

/** Where a lab's site is to be had. */
export interface SitePlace {
  /** Host name of all servers. */
  name: string;
  /** Of every server, the documents' first; not empty. */
  ports: readonly number[];
  /** IP addresses that each of them listens on. */
  addresses: readonly string[];
  /** Argument array that is put in front of the server, to run it inside a namespace or with an owner. */
  enter: readonly string[];
}

export interface LabSite {
  server: RunningServer;
  /** See {@link Certificates}. */
  spki: string;
  /** PEM file of the private authority. */
  caPath: string;
}

/**
 * Serves all pages of the lab, and their list, over every protocol that the server speaks.
 * @param directory for pages, certificates and the server's own files
 * @throws TowlineError `server-missing` or `server-failed`
 */
export async function startSite(
  directory: string,
  setup: Pick<LabSetup, 'server' | 'maxStreams'>,
  { name, ports, addresses, enter }: SitePlace,
): Promise<LabSite> {
  const root = join(directory, 'site');
  const hosts = ports.map((port) => `${name}:${port}`);
  await writeSite(root, pageNames, hosts);
  await writeFile(join(root, 'index.html'), indexPage());
  const certificates = await makeCertificates(join(directory, 'certificates'), [name, ...addresses]);
  const servers = ports.map((port) => ({ name, port, addresses }));
  const server = await startServer(setup, directory, enter, { servers, certificates, root });
  return { server, spki: certificates.spki, caPath: certificates.caPath };
}
