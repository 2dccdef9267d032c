import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { killGroup } from './kill-group.ts';
import type { BrowserRequest } from './managed-browser.ts';

/** Usually 0.5 s; on a busy machine several. */
const startTimeoutMs = 60_000;

/** As Firefox says it on standard error (remote/components/RemoteAgent.sys.mjs). */
const listening = /^WebDriver BiDi listening on (ws:\/\/\S+)/m;

export interface FirefoxProcess {
  /** Where it listens for WebDriver BiDi, on the loopback of its network namespace. */
  endpoint: string;
  /** Settles when the browser has ended. */
  ended: Promise<void>;
  /** Ends the browser and everything it started. Never throws. */
  kill: () => void;
}

/** Starts Firefox with a profile that is laid down. @throws TowlineError `browser-failed` */
export async function launchFirefox({
  executable,
  wrapper,
  headless,
  profileDirectory,
  keyLogFile,
}: Pick<BrowserRequest, 'executable' | 'wrapper' | 'headless' | 'profileDirectory'> & {
  /** Null for none. */
  keyLogFile: string | null;
}): Promise<FirefoxProcess> {
  const command: readonly string[] = [
    ...wrapper,
    ...[executable, '--no-remote', '--profile', profileDirectory, '--remote-debugging-port=0'],
    ...(headless ? ['--headless'] : []),
    'about:blank',
  ];
  const [program = '', ...args] = command;
  // The browser leads a process group: with the leader alone gone, the others would go on writing for a while.
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    env: environment(profileDirectory, keyLogFile),
  });
  const kill = (): void => {
    if (child.pid !== undefined) killGroup(child.pid);
  };
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      resolve();
    });
  });
  try {
    return { endpoint: await endpointOf(child), ended, kill };
  } catch (cause) {
    kill();
    throw new TowlineError(
      'browser-failed',
      'browser',
      `The browser ${executable} did not start: ${(cause as Error).message}`,
      {
        remedy:
          'Run "towline doctor" to see what it lacks, or start it once by hand to read its own message.',
        cause,
      },
    );
  }
}

function environment(profileDirectory: string, keyLogFile: string | null): NodeJS.ProcessEnv {
  const { HOME: home = '/root', XAUTHORITY: authority = join(home, '.Xauthority'), ...rest } = process.env;
  return {
    ...rest,
    // What it keeps outside its profile goes with the profile too; the person's own screen stays reachable.
    HOME: profileDirectory,
    XAUTHORITY: authority,
    ...(keyLogFile === null ? {} : { SSLKEYLOGFILE: keyLogFile }),
    // A reporter would outlive the browser, in a session of its own.
    MOZ_CRASHREPORTER_DISABLE: '1',
  };
}

function endpointOf(child: ChildProcessByStdio<null, null, Readable>): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const fail = (what: string): void => {
      const lastWords = said.trim().split('\n').slice(-3).join(' ');
      reject(new Error(lastWords === '' ? what : `${what} (${lastWords})`));
    };
    const timer = setTimeout(() => {
      fail(`it did not listen within ${startTimeoutMs / 1000} s`);
    }, startTimeoutMs);
    child.stderr.on('data', (data: Buffer) => {
      said = (said + data.toString()).slice(-8192);
      const endpoint = listening.exec(said)?.[1];
      if (endpoint === undefined) return;
      clearTimeout(timer);
      resolve(endpoint);
    });
    child.once('error', (error) => {
      clearTimeout(timer);
      fail(error.message);
    });
    child.once('close', () => {
      clearTimeout(timer);
      fail('it ended at once');
    });
  });
}
