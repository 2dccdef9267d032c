import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import * as v from 'valibot';
import type { ErrorReport } from '../../shared/errors/towline-error.ts';
import { EngineEventSchema, type EngineEvent, type EngineRequest } from './engine-protocol.ts';
import { readJsonLines, writeJsonLine } from './json-lines.ts';

/** After a cancel the engine gets this long to end by itself. */
const cancelGraceMs = 10_000;

/** The engine in its capsule, as its owner sees it. */
export class EngineProcess {
  readonly #child: ChildProcess & { stdin: Writable; stdout: Readable };
  #stderr = '';
  #cancelTimer: NodeJS.Timeout | null = null;

  /** @param command the argument array of capsule and engine */
  constructor(command: readonly string[]) {
    const [program = '', ...args] = command;
    // A session of its own: Ctrl-C in the terminal is for the owner, who tells the engine in its own words.
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    const hear = (text: string): void => {
      this.#stderr = (this.#stderr + text).slice(-4096);
    };
    child.on('error', (error) => {
      hear(error.message);
    });
    child.stdin.on('error', (error) => {
      hear(error.message);
    });
    child.stderr.on('data', (data: Buffer) => {
      hear(data.toString());
    });
    this.#child = child;
  }

  /** Of the outermost process, which everything inside ends with; 0 where it could not be started. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** What the engine wrote to standard error last: for the message when it died. */
  get lastWords(): string {
    return this.#stderr.trim().split('\n').slice(-3).join(' ');
  }

  /** Starts the comparison and gives what the engine tells, until it ends, in whatever way. */
  async *run(request: EngineRequest): AsyncGenerator<EngineEvent> {
    writeJsonLine(this.#child.stdin, { type: 'start', request });
    try {
      for await (const line of readJsonLines(this.#child.stdout)) {
        const event = v.parse(EngineEventSchema, line);
        yield event;
        if (event.type === 'ended') break;
      }
    } finally {
      await this.#end();
    }
  }

  /**
   * Asks the engine to stop; it keeps what is done.
   * @param error why the run cannot go on; null when it was not wanted any longer
   */
  cancel(error: ErrorReport | null = null): void {
    if (this.#cancelTimer !== null) return;
    writeJsonLine(this.#child.stdin, { type: 'cancel', error });
    this.#cancelTimer = setTimeout(() => {
      this.#child.kill('SIGKILL');
    }, cancelGraceMs);
  }

  /** Lets the engine clean up, and makes sure that it is gone. */
  async #end(): Promise<void> {
    const exited = new Promise<void>((resolve) => {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null || this.#child.pid === undefined)
        resolve();
      else
        this.#child.once('exit', () => {
          resolve();
        });
    });
    this.#child.stdin.end();
    const timer = setTimeout(() => {
      this.#child.kill('SIGKILL');
    }, cancelGraceMs);
    await exited;
    clearTimeout(timer);
    if (this.#cancelTimer !== null) clearTimeout(this.#cancelTimer);
  }
}
