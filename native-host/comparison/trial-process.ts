import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import * as v from 'valibot';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { readJsonLines, writeJsonLine } from './json-lines.ts';
import { WorkerMessageSchema, type TrialObservation, type WorkerMessage } from './trial-observation.ts';
import type { TrialRequest } from './trial-request.ts';

/** A worker may take this much longer than the load's own time-out: quiet period, analysis, slow disks. */
const graceMs = 60_000;

/** A worker ends within milliseconds of being asked; one that does not hangs. */
const stopGraceMs = 2_000;

/**
 * The process of one trial, in its own namespace: started ahead of time, told its request, then told to go.
 * Whatever way it ends, its browser ends with it.
 */
export class TrialProcess {
  readonly #child: ChildProcess & { stdin: Writable; stdout: Readable };
  readonly #messages: AsyncGenerator;
  #stderr = '';

  /** @param command the argument array that starts the worker, with all that enters its namespace in front */
  constructor(command: readonly string[]) {
    const [program = '', ...args] = command;
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    child.on('error', (error) => {
      this.#stderr += error.message;
    });
    // A write to a worker that has died is seen by its silence; the broken pipe says nothing more.
    child.stdin.on('error', (error) => {
      this.#stderr += `${error.message}\n`;
    });
    child.stderr.on('data', (data: Buffer) => {
      this.#stderr = (this.#stderr + data.toString()).slice(-4096);
    });
    this.#child = child;
    this.#messages = readJsonLines(child.stdout);
  }

  /** Starts browser and capture. @throws TowlineError with the worker's reason */
  async prepare(request: TrialRequest): Promise<void> {
    writeJsonLine(this.#child.stdin, { type: 'prepare', request });
    await this.#until('ready', graceMs);
  }

  /** Loads the page. @param onLoaded called when only the quiet period is left */
  async observe(loadTimeoutMs: number, onLoaded: () => void): Promise<TrialObservation> {
    writeJsonLine(this.#child.stdin, { type: 'go' });
    await this.#until('loaded', loadTimeoutMs + graceMs);
    onLoaded();
    return (await this.#until('observed', graceMs)).observation;
  }

  /** Ends worker and browser at once. Never throws. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /**
   * Ends worker and browser and waits until they are gone: the worker takes its browser with it, by process
   * namespace or by hand. One that does not end is killed. Never throws.
   */
  async stop(): Promise<void> {
    if (this.#hasEnded()) return;
    const ended = once(this.#child, 'exit');
    this.#child.stdin.end();
    const timer = setTimeout(() => {
      this.kill();
    }, stopGraceMs);
    await ended;
    clearTimeout(timer);
  }

  #hasEnded(): boolean {
    const { pid, exitCode, signalCode } = this.#child;
    return pid === undefined || exitCode !== null || signalCode !== null;
  }

  async #until<T extends WorkerMessage['type']>(
    type: T,
    timeoutMs: number,
  ): Promise<Extract<WorkerMessage, { type: T }>> {
    const timer = setTimeout(() => {
      this.#stderr += `nothing heard for ${timeoutMs / 1000} s`;
      this.kill();
    }, timeoutMs);
    try {
      for (;;) {
        const next: IteratorResult<unknown> = await this.#messages.next();
        if (next.done === true) throw this.#died();
        const message = v.parse(WorkerMessageSchema, next.value);
        if (message.type === 'failed') throw TowlineError.fromReport(message.error);
        if (message.type === type) return message as Extract<WorkerMessage, { type: T }>;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #died(): TowlineError {
    const lastWords = this.#stderr.trim().split('\n').slice(-3).join(' ');
    return new TowlineError(
      'trial-crashed',
      'trial',
      `The trial's process ended early: ${lastWords || 'it said nothing'}.`,
    );
  }
}
