import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { requireTools, toolPath } from '../../native-host/network/find-tool.ts';
import { runTool } from '../../native-host/network/run-tool.ts';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { caddyfile, type SiteOptions } from './caddyfile.ts';

/** A web server that is up. */
export interface RunningServer {
  /** Name and version, for the record: "Caddy 2.6.2". */
  name: string;
  /** Settles when it has ended, which it does by itself only in trouble; the value is its last words. */
  ended: Promise<string>;
  close(): Promise<void>;
}

const startTimeoutMs = 20_000;
/** Caddy's log line when every listener is open. */
const upMessage = 'serving initial configuration';

/**
 * Starts Caddy and waits until it listens.
 * @param directory for its configuration and state
 * @param enter argument array that is put in front, to run it inside a namespace
 * @throws TowlineError `server-missing` or `server-failed`
 */
export async function startCaddy(
  directory: string,
  enter: readonly string[],
  options: Omit<SiteOptions, 'storage'>,
): Promise<RunningServer> {
  requireTools(['caddy'], 'serve pages over HTTP/1.1, HTTP/2 and HTTP/3', 'server-missing', 'lab');
  const version = await runTool(['caddy', 'version'], { failure: { code: 'server-failed', stage: 'lab' } });
  const storage = join(directory, 'caddy');
  await mkdir(storage, { recursive: true });
  const config = join(directory, 'Caddyfile');
  await writeFile(config, caddyfile({ ...options, storage }));

  const command = [...enter, 'caddy', 'run', '--adapter', 'caddyfile', '--config', config];
  const child = spawn(command[0] ?? 'caddy', command.slice(1), {
    stdio: ['ignore', 'ignore', 'pipe'],
    // In a session of its own, so that Ctrl-C on the terminal is its owner's to act on.
    detached: true,
    env: { PATH: toolPath(), HOME: storage, XDG_DATA_HOME: storage, XDG_CONFIG_HOME: storage },
  });
  let tellUp: () => void = () => undefined;
  const up = new Promise<null>((resolve) => {
    tellUp = () => {
      resolve(null);
    };
  });
  const ended = lastWordsOf(child, (line) => {
    if (line.includes(upMessage)) tellUp();
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs);
  const failure = await Promise.race([up, ended]);
  clearTimeout(timer);
  if (failure !== null) {
    throw new TowlineError(
      'server-failed',
      'lab',
      `Caddy did not come up: ${failure || 'it said nothing'}.`,
      {
        remedy: 'towline doctor',
      },
    );
  }
  return {
    name: `Caddy ${(version.trim().split(/\s+/)[0] ?? '').replace(/^v/, '')}`,
    ended,
    close: () => end(child),
  };
}

/** The last lines the server wrote, told when it has ended. */
function lastWordsOf(child: ChildProcess, onLine: (line: string) => void): Promise<string> {
  const lastWords: string[] = [];
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      onLine(line);
      lastWords.push(line);
      if (lastWords.length > 5) lastWords.shift();
    });
  }
  return new Promise((resolve) => {
    const tell = () => {
      resolve(lastWords.join(' '));
    };
    child.once('error', tell);
    child.once('close', tell);
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
