import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { captureError, captureMissing } from './capture-error.ts';
import type { CaptureOptions, CaptureStats, PacketSource } from './packet-source.ts';
import { pcapFileHeaderBytes, PcapStream } from './pcap-stream.ts';

/** The kernel's buffer, KiB: as large as {@link LibpcapSource}'s. */
const bufferKibibytes = 32 * 1024;

/**
 * In immediate mode tcpdump writes each packet as it comes. When this long nothing has come out, nothing was on
 * its way; a busy interface is not waited for beyond the limit.
 */
const settleMs = 20;
const settleLimitMs = 500;

/** How long it may take to say its statistics. */
const statisticsLimitMs = 5000;

/** How long tcpdump may take to end before it is killed. */
const exitLimitMs = 2000;

/** Debian keeps it where an ordinary user's PATH does not look. */
const searchPath = [process.env.PATH, '/usr/sbin', '/sbin'].filter(Boolean).join(':');

type Tcpdump = ChildProcessByStdio<null, Readable, Readable>;

/** Captures with a tcpdump process that writes to a pipe: for machines without node-pcap's addon. */
export class TcpdumpSource implements PacketSource {
  readonly kind = 'tcpdump';
  readonly #interfaceName: string;
  readonly #process: Tcpdump;
  readonly #stream: PcapStream;
  /** Settles when tcpdump has ended and all it wrote is read; rejects when it could not be started. */
  readonly #ended: Promise<unknown>;
  #said = '';
  #packets = 0;
  #unreadable: unknown = null;

  private constructor(options: CaptureOptions) {
    this.#interfaceName = options.interface;
    this.#stream = new PcapStream((...packet) => {
      this.#packets += 1;
      options.onPacket(...packet);
    });
    this.#process = spawn('tcpdump', tcpdumpArguments(options), {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: searchPath, LC_ALL: 'C' },
    });
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => (this.#said += text));
    this.#ended = once(this.#process, 'close');
    // Each who waits for it sees the failure; until then nobody may be waiting.
    this.#ended.catch(() => undefined);
  }

  /**
   * Starts tcpdump and waits until it captures.
   *
   * @throws TowlineError `capture-missing`, `permission-denied`, `capture-failed`
   */
  static async open(options: CaptureOptions): Promise<TcpdumpSource> {
    const source = new TcpdumpSource(options);
    try {
      await source.#readFileHeader();
      return source;
    } catch (error) {
      await source.#end().catch(() => undefined);
      throw error;
    }
  }

  get linkType(): number {
    return this.#stream.linkType ?? NaN;
  }

  start(): void {
    this.#process.stdout.on('data', (chunk: Buffer) => {
      this.#read(chunk);
    });
  }

  /** On SIGUSR1 tcpdump says its statistics and goes on, but only once it has said that it listens: before, it ends. */
  async lost(): Promise<number | null> {
    let asked: number | null = null;
    for (let waitedMs = 0; waitedMs < statisticsLimitMs; waitedMs += settleMs) {
      if (this.#hasEnded || this.#unreadable !== null) throw this.#failure();
      if (asked === null && this.#said.includes('listening on')) {
        asked = this.#said.length;
        this.#process.kill('SIGUSR1');
      }
      await sleep(settleMs);
      const losses = asked === null ? null : lossesOf(this.#said.slice(asked));
      if (losses !== null) return losses.byKernel + losses.byInterface;
    }
    return null;
  }

  async stop(): Promise<CaptureStats> {
    const brokeOff = this.#hasEnded;
    if (!brokeOff) await this.#settle();
    await this.#end();
    const losses = lossesOf(this.#said);
    if (brokeOff || this.#unreadable !== null || losses === null) throw this.#failure();
    return {
      packets: this.#packets,
      droppedByKernel: losses.byKernel,
      droppedByInterface: losses.byInterface,
    };
  }

  /** tcpdump writes the file header once it captures: with it the link type is known, and no packet is missed. */
  async #readFileHeader(): Promise<void> {
    const { stdout } = this.#process;
    const ended = this.#ended.then(
      () => true,
      (error: unknown) => {
        throw captureMissing(error);
      },
    );
    for (;;) {
      const header = stdout.read(pcapFileHeaderBytes) as Buffer | null;
      if (header) {
        this.#read(header);
        break;
      }
      if (await Promise.race([ended, once(stdout, 'readable').then(() => false)])) throw this.#failure();
    }
    if (this.#unreadable !== null) throw this.#failure();
  }

  #read(chunk: Buffer): void {
    if (this.#unreadable !== null) return;
    try {
      this.#stream.push(chunk);
    } catch (error) {
      this.#unreadable = error;
    }
  }

  get #hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  async #settle(): Promise<void> {
    for (let waitedMs = 0; waitedMs < settleLimitMs; waitedMs += settleMs) {
      const before = this.#packets;
      await sleep(settleMs);
      if (this.#packets === before) return;
    }
  }

  /** On SIGINT tcpdump says its statistics and ends. */
  async #end(): Promise<void> {
    this.#process.kill('SIGINT');
    const killer = setTimeout(() => this.#process.kill('SIGKILL'), exitLimitMs);
    try {
      // The end is reached only when all that was written is read; a stream that nobody listens to would keep it back.
      this.#process.stdout.resume();
      await this.#ended;
    } finally {
      clearTimeout(killer);
    }
  }

  #failure(): Error {
    if (this.#unreadable instanceof Error) {
      return captureError(this.#interfaceName, this.#unreadable.message, this.#unreadable);
    }
    return captureError(this.#interfaceName, this.#said === '' ? 'tcpdump ended at once' : this.#said);
  }
}

/** From what tcpdump says, the last time it says it; null when it has not. */
function lossesOf(said: string): { byKernel: number; byInterface: number } | null {
  const last = (by: string): number | null => {
    const all = [...said.matchAll(new RegExp(`(\\d+) packets? dropped by ${by}`, 'g'))];
    return all.length === 0 ? null : Number(all.at(-1)?.[1]);
  };
  const byKernel = last('kernel');
  // Of the interface's it says only when there are some.
  return byKernel === null ? null : { byKernel, byInterface: last('interface') ?? 0 };
}

function tcpdumpArguments({ interface: device, filter, snapLength }: CaptureOptions): string[] {
  return [
    ...['-i', device, '-s', String(snapLength), '-B', String(bufferKibibytes)],
    ...['--no-promiscuous-mode', '--immediate-mode', '--packet-buffered', '--nano'],
    ...['-w', '-', '--', filter],
  ];
}
