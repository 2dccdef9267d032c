import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { findTool, requireTools, toolPath } from './find-tool.ts';
import { realtimePrefix } from './realtime.ts';
import { guestInit, guestLauncher } from './uml-scripts.ts';

/** A network card of the guest: a tap of ours, under the guest's name for it. */
export interface GuestCard {
  tap: string;
  mac: string;
}

const memory = '128M';
const bootTimeoutMs = 30_000;
const commandTimeoutMs = 10_000;
const powerOffTimeoutMs = 2_000;

/** Waiting for the answer with this number. */
interface Pending {
  output: string[];
  resolve: (answer: { status: number; output: string }) => void;
}

/**
 * A User-Mode Linux kernel as a child process: the host's own file system read by hostfs, commands by its console.
 * It ends with its capsule.
 */
export class UmlGuest {
  readonly #child: ChildProcess & { stdin: Writable; stdout: Readable; stderr: Readable };
  readonly #pending = new Map<number, Pending>();
  readonly #lastWords: string[] = [];
  #commands = 0;
  #ready: () => void = () => undefined;

  private constructor(child: ChildProcess & { stdin: Writable; stdout: Readable; stderr: Readable }) {
    this.#child = child;
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.#read(line.trim());
    });
    createInterface({ input: child.stderr }).on('line', (line) => {
      this.#remember(line);
    });
  }

  /**
   * Boots the guest with the taps as its cards vec0, vec1, ..., and waits until it takes commands.
   * @param scratch directory for its script and its own files
   * @param enter argument array that is put in front, to run it where the taps are
   * @throws TowlineError `shaping-unavailable` where it is not installed, `router-failed` where it does not come up
   */
  static async boot(
    scratch: string,
    enter: readonly string[],
    cards: readonly GuestCard[],
  ): Promise<UmlGuest> {
    requireTools(
      ['linux.uml', 'perl'],
      'delay and lose packets, since this kernel has no netem',
      'shaping-unavailable',
    );
    const directory = join(scratch, 'router');
    await mkdir(directory, { recursive: true });
    const init = join(directory, 'init');
    await writeFile(init, guestInit, { mode: 0o755 });

    const kernel = [
      ...[findTool('linux.uml') ?? 'linux.uml', `mem=${memory}`, `uml_dir=${directory}`, 'quiet'],
      ...['root=/dev/root', 'rootfstype=hostfs', 'rootflags=/', 'rw', `init=${init}`],
      ...cards.map(({ tap, mac }, index) => `vec${index}:transport=tap,ifname=${tap},depth=128,mac=${mac}`),
      ...['con=null', 'con0=fd:0,fd:1', 'ssl=null'],
      // The guest's programs keep to registers that survive its context switches: see guestLauncher.
      'GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-AVX512F,-AVX512VL',
    ];
    const command = [...enter, ...(await realtimePrefix()), 'perl', '-e', guestLauncher, ...kernel];
    const child = spawn(command[0] ?? 'perl', command.slice(1), {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: toolPath(), TMPDIR: directory, HOME: directory },
    });
    const guest = new UmlGuest(child);
    await guest.#untilReady();
    return guest;
  }

  /** Runs one command in the guest. No argument may hold white space. */
  async run(argv: readonly string[]): Promise<string> {
    const number = ++this.#commands;
    const answer = new Promise<{ status: number; output: string }>((resolve) => {
      this.#pending.set(number, { output: [], resolve });
    });
    this.#child.stdin.write(`${number} ${argv.join(' ')}\n`);
    const { status, output } = await this.#orDead(answer, commandTimeoutMs, `"${argv.join(' ')}"`);
    if (status === 0) return output;
    throw new TowlineError('router-failed', 'network', `The router refused "${argv.join(' ')}": ${output}.`);
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    // Only a guest that powers off takes its helper processes with it; the rest would wait for the capsule's end.
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), powerOffTimeoutMs);
    await gone;
    clearTimeout(timer);
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }

  async #untilReady(): Promise<void> {
    const ready = new Promise<void>((resolve) => {
      this.#ready = resolve;
    });
    try {
      await this.#orDead(ready, bootTimeoutMs, 'its start');
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** The first of: what is waited for, the guest's end, the time-out. */
  async #orDead<T>(awaited: Promise<T>, timeoutMs: number, what: string): Promise<T> {
    let fail: (why: string) => void = () => undefined;
    const failure = new Promise<never>((_, reject) => {
      fail = (why) => {
        // A panic only says that the script has ended; why, it said before.
        const panic = this.#lastWords.findIndex((line) => line.includes('Kernel panic'));
        const words = this.#lastWords
          .slice(0, panic === -1 ? undefined : panic)
          .slice(-4)
          .join(' ');
        reject(
          new TowlineError('router-failed', 'network', `The router ${why} ${what}: ${words || 'no word'}.`),
        );
      };
    });
    const died = () => {
      fail('ended during');
    };
    const timer = setTimeout(() => {
      fail(`gave no answer within ${timeoutMs / 1000} s to`);
    }, timeoutMs);
    this.#child.once('close', died);
    this.#child.once('error', died);
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) died();
    try {
      return await Promise.race([awaited, failure]);
    } finally {
      clearTimeout(timer);
      this.#child.off('close', died);
      this.#child.off('error', died);
    }
  }

  #read(line: string): void {
    this.#remember(line);
    if (line === 'towline-ready') {
      this.#ready();
      return;
    }
    const done = /^towline-done (\d+) (\d+)$/.exec(line);
    const number = done === null ? this.#commands : Number(done[1]);
    const pending = this.#pending.get(number);
    if (pending === undefined) return;
    if (done === null) {
      // The console echoes what it is told.
      if (!line.startsWith(`${number} `)) pending.output.push(line);
      return;
    }
    this.#pending.delete(number);
    pending.resolve({ status: Number(done[2]), output: pending.output.join('\n') });
  }

  #remember(line: string): void {
    this.#lastWords.push(line);
    if (this.#lastWords.length > 60) this.#lastWords.shift();
  }
}
