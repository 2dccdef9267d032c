import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { toolPath } from '../../native-host/network/find-tool.ts';
import { TowlineError } from '../../shared/errors/towline-error.ts';

/** A web server that is up. */
export interface RunningServer {
  /** Name and version, for the record: "Caddy 2.6.2". */
  name: string;
  /** Settles when it has ended, which it does by itself only in trouble; the value is its last words. */
  ended: Promise<string>;
  close(): Promise<void>;
}

/** How a server is started. */
export interface ServerProgram {
  /** See {@link RunningServer}. */
  name: string;
  command: readonly string[];
  /** What its log says once every listener is open. */
  upMessage: string;
  /** Directory for its own state. */
  home: string;
}

const startTimeoutMs = 20_000;

/** Starts a server and waits until it listens. @throws TowlineError `server-failed` with its last words */
export async function runServer({ name, command, upMessage, home }: ServerProgram): Promise<RunningServer> {
  const child = spawn(command[0] ?? '', command.slice(1), {
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a session of its own, so that Ctrl-C on the terminal is its owner's to act on.
    detached: true,
    env: { PATH: toolPath(), HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
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
      `${name} did not come up: ${failure || 'it said nothing'}.`,
      { remedy: 'towline doctor' },
    );
  }
  return { name, ended, close: () => end(child) };
}

/** The last lines the server wrote, told when it has ended. */
function lastWordsOf(child: ChildProcess, onLine: (line: string) => void): Promise<string> {
  const lastWords: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    if (input === null) continue;
    createInterface({ input }).on('line', (line) => {
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
