import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { realtimePrefix } from './realtime.ts';
import type { ProbeAddress, ProbeAnswer, ProbeCommand } from './probe-protocol.ts';

/** The agent's program: built beside every other entry file. */
const workerFile = fileURLToPath(new URL('./probe-worker.js', import.meta.url));

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

/** A probe agent in a process of its own, inside a namespace. */
export class ProbeProcess {
  readonly #child: ChildProcess & { stdin: Writable; stdout: Readable; stderr: Readable };
  readonly #pending = new Map<number, (values: number[]) => void>();
  readonly #gone: Promise<never>;
  #address: ProbeAddress = { address: '', port: 0 };
  #commands = 0;

  private constructor(command: readonly string[]) {
    const child = spawn(command[0] ?? process.execPath, command.slice(1), {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, values } = JSON.parse(line) as ProbeAnswer;
      this.#pending.get(id)?.(values);
      this.#pending.delete(id);
    });
    this.#gone = new Promise((_, reject) => {
      const fail = () => {
        reject(new TowlineError('internal', 'network', `The path's probe ended early: ${stderr.trim()}`));
      };
      child.once('error', fail);
      child.once('close', fail);
    });
    // Nobody may be waiting when it ends as it should.
    this.#gone.catch(() => undefined);
    this.#child = child;
  }

  /** Starts an agent that listens on an address of its namespace. */
  static async start(enter: readonly string[], address: string): Promise<ProbeProcess> {
    const probe = new ProbeProcess([...enter, ...(await realtimePrefix()), process.execPath, workerFile]);
    const [port = 0] = await probe.perform({ do: 'bind', address });
    probe.#address = { address, port };
    return probe;
  }

  get address(): ProbeAddress {
    return this.#address;
  }

  async perform(command: WithoutId<ProbeCommand>): Promise<number[]> {
    const id = ++this.#commands;
    const answer = new Promise<number[]>((resolve) => {
      this.#pending.set(id, resolve);
    });
    this.#child.stdin.write(`${JSON.stringify({ id, ...command })}\n`);
    return Promise.race([answer, this.#gone]);
  }

  close(): void {
    this.#child.kill('SIGKILL');
  }
}
