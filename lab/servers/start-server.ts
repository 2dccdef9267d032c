import { requireTools } from '../../native-host/network/find-tool.ts';
import type { LabSetup, ServerKind } from '../../shared/record/lab-setup.ts';
import type { RunningServer } from './run-server.ts';
import type { Site } from './site.ts';
import { startApache } from './start-apache.ts';
import { startCaddy } from './start-caddy.ts';

const programs: Readonly<Record<ServerKind, readonly string[]>> = {
  caddy: ['caddy'],
  apache: ['apache2', 'unshare'],
};

/** @throws TowlineError `server-missing`, before anything is made */
export function requireServer(kind: ServerKind): void {
  requireTools([...programs[kind], 'openssl'], "run the lab's servers", 'server-missing', 'lab');
}

/**
 * Starts the server program asked for, one process for all of the site's servers.
 * @param directory for its configuration and state
 * @param enter argument array that is put in front, to run it inside a namespace
 */
export function startServer(
  { server, maxStreams }: Pick<LabSetup, 'server' | 'maxStreams'>,
  directory: string,
  enter: readonly string[],
  site: Site,
): Promise<RunningServer> {
  return server === 'apache'
    ? startApache(directory, enter, site, maxStreams)
    : startCaddy(directory, enter, site);
}
