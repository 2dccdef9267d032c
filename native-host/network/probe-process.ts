import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { realtimePrefix } from './realtime.ts';
import type { ProbeAddress, ProbeAnswer, ProbeCommand } from './probe-protocol.ts';

/** Where an agent runs, and on which addresses: one of IPv4, one of IPv6, or both. */
export interface ProbePlace {
  enter: readonly string[];
  addresses: readonly string[];
}

/** The agent's program: built beside every other entry file. */
const workerFile = fileURLToPath(new URL('./probe-worker.js', import.meta.url));

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

/** A probe agent in a process of its own, inside a namespace. */
export class ProbeProcess {
  readonly #child: ChildProcess & { stdin: Writable; stdout: Readable; stderr: Readable };
  readonly #pending = new Map<number, (values: number[]) => void>();
  readonly #gone: Promise<never>;
  #addresses: readonly ProbeAddress[] = [];
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

  /** Starts an agent that listens on addresses of its namespace. */
  static async start({ enter, addresses }: ProbePlace): Promise<ProbeProcess> {
    const probe = new ProbeProcess([...enter, ...(await realtimePrefix()), process.execPath, workerFile]);
    try {
      const ports = await probe.perform({ do: 'bind', addresses });
      probe.#addresses = addresses.map((address, index) => ({
        address,
        udpPort: ports[2 * index] ?? 0,
        tcpPort: ports[2 * index + 1] ?? 0,
      }));
      return probe;
    } catch (error) {
      probe.close();
      throw error;
    }
  }

  get addresses(): readonly ProbeAddress[] {
    return this.#addresses;
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
