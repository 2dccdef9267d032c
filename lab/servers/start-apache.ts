import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { requireTools } from '../../native-host/network/find-tool.ts';
import { runTool } from '../../native-host/network/run-tool.ts';
import { apacheConfig } from './apache-config.ts';
import { runServer, type RunningServer } from './run-server.ts';
import type { Site } from './site.ts';

/**
 * httpd will not serve as root, not even as one that a user namespace made; so it gets a user namespace in which it is
 * nobody, while its files stay its owner's; ports below 1024 are then only its where {@link letAnybodyListen} made them
 * so. It is process 1 of a process namespace, so that its children end with it.
 */
const asNobody = [
  ...['unshare', '--user', '--map-user=65534', '--map-group=65534'],
  ...['--pid', '--fork', '--kill-child=KILL', '--'],
];

/**
 * Starts Apache httpd with mod_http2 and waits until it listens.
 * @param directory for its configuration and state
 * @param enter argument array that is put in front, to run it inside a namespace
 * @param maxStreams see {@link apacheConfig}
 * @throws TowlineError `server-missing` or `server-failed`
 */
export async function startApache(
  directory: string,
  enter: readonly string[],
  site: Site,
  maxStreams: number | null,
): Promise<RunningServer> {
  requireTools(['apache2', 'unshare'], 'serve pages with a limit of streams', 'server-missing', 'lab');
  const failure = { code: 'server-failed', stage: 'lab' } as const;
  const version = await runTool(['apache2', '-v'], { failure });
  const home = join(directory, 'apache');
  await mkdir(home, { recursive: true });
  const config = join(home, 'httpd.conf');
  await writeFile(config, apacheConfig(site, home, maxStreams));
  return runServer({
    name: `Apache httpd ${/Apache\/(\S+)/.exec(version)?.[1] ?? ''}`,
    command: [...enter, ...asNobody, 'apache2', '-D', 'FOREGROUND', '-f', config],
    upMessage: 'resuming normal operations',
    home,
  });
}
