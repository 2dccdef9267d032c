import { spawn } from 'node:child_process';
import * as v from 'valibot';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import type { HostWindows, OpenWindowRequest } from '../messaging/host-windows.ts';
import { RunDirectory } from './run-directory.ts';
import { windowsDirectory } from './state-directory.ts';
import { WindowMessageSchema, type WindowMessage } from './window-message.ts';

/** Each is a browser of its own: more than a person would look at side by side, and few for the machine. */
const mostWindows = 6;

export interface WindowOpenerOptions {
  /** Starts the command line; the arguments of `open` are put behind it. */
  command: readonly [program: string, ...args: string[]];
  /** The browser that asks: its end ends the windows. */
  browserPid: number;
  /** Holds the directories of all windows; the person's own by default. */
  root?: string;
}

/**
 * Opens windows for the extension. Each is a process of the command line that goes on without this host, since the
 * browser ends the host whenever the extension has nothing to ask.
 */
export class WindowOpener implements HostWindows {
  readonly #options: WindowOpenerOptions;

  constructor(options: WindowOpenerOptions) {
    this.#options = options;
  }

  async open(request: OpenWindowRequest): Promise<void> {
    if ((await this.#openWindows()) >= mostWindows) {
      throw new TowlineError('host-busy', 'browser', `${mostWindows} windows are open already.`, {
        remedy: 'Close one of them first.',
      });
    }
    const message = await this.#start(openArguments(request, this.#options.browserPid));
    if (message.type === 'failed') throw TowlineError.fromReport(message.error);
  }

  async #openWindows(): Promise<number> {
    const windows = await RunDirectory.list(this.#options.root ?? windowsDirectory());
    // One that cannot be read is no window that anybody looks at.
    const alive = await Promise.all(windows.map((window) => window.isAlive().catch(() => false)));
    return alive.filter(Boolean).length;
  }

  #start(args: readonly string[]): Promise<WindowMessage> {
    const [program, ...before] = this.#options.command;
    return new Promise((resolve, reject) => {
      const child = spawn(program, [...before, ...args], {
        cwd: '/',
        detached: true,
        // Standard output is the browser's: what goes wrong comes as a message.
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
      const lost = (cause: unknown): void => {
        reject(
          new TowlineError('internal', 'browser', 'The window was not opened, and nothing says why.', {
            remedy: 'Try it on a terminal: towline open ADDRESS --arm h2.',
            cause,
          }),
        );
      };
      child.once('error', lost);
      child.once('exit', lost);
      child.once('message', (told) => {
        const message = v.safeParse(WindowMessageSchema, told);
        if (message.success) resolve(message.output);
        else lost(message.issues[0].message);
        child.disconnect();
        child.unref();
      });
    });
  }
}

/** The command line that does what the extension asked: every argument comes from a checked message. */
function openArguments({ url, arm, browser }: OpenWindowRequest, browserPid: number): string[] {
  return ['open', url, '--arm', arm, '--browser', browser, '--owner-pid', String(browserPid)];
}
