import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { requireTools } from '../../native-host/network/find-tool.ts';
import { runTool } from '../../native-host/network/run-tool.ts';
import { caddyfile } from './caddyfile.ts';
import { runServer, type RunningServer } from './run-server.ts';
import type { Site } from './site.ts';

/**
 * Starts Caddy and waits until it listens.
 * @param directory for its configuration and state
 * @param enter argument array that is put in front, to run it inside a namespace
 * @throws TowlineError `server-missing` or `server-failed`
 */
export async function startCaddy(
  directory: string,
  enter: readonly string[],
  site: Site,
): Promise<RunningServer> {
  requireTools(['caddy'], 'serve pages over HTTP/1.1, HTTP/2 and HTTP/3', 'server-missing', 'lab');
  const home = join(directory, 'caddy');
  await mkdir(home, { recursive: true });
  const version = await runTool(['caddy', 'version'], {
    failure: { code: 'server-failed', stage: 'lab' },
    // Even for that it makes a directory in the person's home, ~/.step.
    env: { HOME: home },
  });
  const config = join(directory, 'Caddyfile');
  await writeFile(config, caddyfile(site, home));
  return runServer({
    name: `Caddy ${(version.trim().split(/\s+/)[0] ?? '').replace(/^v/, '')}`,
    command: [...enter, 'caddy', 'run', '--adapter', 'caddyfile', '--config', config],
    upMessage: 'serving initial configuration',
    home,
  });
}
