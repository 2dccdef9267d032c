import { setTimeout as sleep } from 'node:timers/promises';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import type { CaptureOptions, PacketSource } from '../capture/packet-source.ts';
import type { HostWatch } from '../messaging/host-watch.ts';
import { loadTime, none, type LoadTime, type ObservedLoad } from '../wire/watched/load-time.ts';
import { WatchedConnections } from '../wire/watched/watched-connections.ts';
import { LossLog } from './loss-log.ts';
import { notWatching, watchError } from './watch-error.ts';

/** Not 80: what is in the clear, whoever reads its packets reads. */
const httpsPort = 443;

/** A TLS record begins anywhere in a packet, so its header is found only in whole ones, which offload joins. */
const snapLength = 262_144;

/** Nobody waits for a single packet; the fewer wake-ups, the better for a battery. */
const holdMs = 100;

/** Packets that have passed have surely been read after this. */
const settleMs = 3 * holdMs;

/** What has been silent for so long is forgotten. */
const keptMs = 600_000;
const tidyMs = 10_000;

/** Questions at once: more than anybody opens tabs. */
const mostWaiting = 64;

export interface WireWatchOptions {
  /** Which interface to watch. @throws TowlineError */
  findInterface: () => Promise<string>;
  openSource: (options: CaptureOptions) => Promise<PacketSource>;
}

/** A capture that goes on, and what is known from it. */
interface Session {
  readonly interfaceName: string;
  readonly source: PacketSource;
  readonly connections: WatchedConnections;
  readonly losses: LossLog;
  /** Since when packets of a port have been seen, ms since 1970. */
  readonly since: ReadonlyMap<number, number>;
}

/**
 * Watches the encrypted connections of the person's own interface while the recorder wants it, and tells the Time on
 * Wire of page loads that the browser has observed. Everything is in memory, bounded, and gone with {@link stop} or
 * the process: no packet is written or kept, only when records and packets passed and how long they were.
 */
export class WireWatch implements HostWatch {
  readonly #options: WireWatchOptions;
  #session: Session | null = null;
  #failure: TowlineError | null = null;
  #waiting = 0;
  /** Whatever changes or asks the capture takes turns. */
  #turn: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: WireWatchOptions) {
    this.#options = options;
  }

  start(ports: readonly number[]): Promise<string> {
    return this.#inTurn(async () => {
      try {
        return await this.#start(ports);
      } catch (error) {
        return await this.#fail(error);
      }
    });
  }

  stop(): Promise<void> {
    return this.#inTurn(async () => {
      this.#failure = null;
      await this.#end();
    });
  }

  async timeOf(load: ObservedLoad): Promise<LoadTime> {
    if (this.#waiting >= mostWaiting) {
      throw new TowlineError('host-busy', 'capture', 'Too many page loads are waited for at once.');
    }
    this.#waiting += 1;
    try {
      return await this.#timeOf({ ...load, toMs: Math.min(load.toMs, Date.now()) });
    } finally {
      this.#waiting -= 1;
    }
  }

  async #timeOf(load: ObservedLoad): Promise<LoadTime> {
    for (;;) {
      const { connections } = this.#running();
      const atMs = Date.now();
      const { untilMs, time } = loadTime(connections, load, atMs);
      const waitMs = untilMs + settleMs - atMs;
      if (waitMs <= 0) return { untilMs, time: await this.#judged(load, untilMs, time) };
      // The host does not outlive its port for it.
      await sleep(waitMs, undefined, { ref: false });
    }
  }

  /** What the packets say, if the capture can answer for it. */
  async #judged(load: ObservedLoad, untilMs: number, time: LoadTime['time']): Promise<LoadTime['time']> {
    await this.#inTurn(() => this.#check());
    const { losses, since } = this.#running();
    const isLate = load.servers.some(({ port }) => (since.get(port) ?? Infinity) > load.fromMs);
    if (isLate) return none('late-capture');
    return losses.overlaps(load.fromMs, untilMs) ? none('lost') : time;
  }

  /** @throws TowlineError why nobody watches */
  #running(): Session {
    if (this.#session === null) throw this.#failure ?? notWatching();
    return this.#session;
  }

  async #start(more: readonly number[]): Promise<string> {
    const interfaceName = await this.#options.findInterface();
    // On another interface, what was seen on the one before says nothing.
    const before = this.#session?.interfaceName === interfaceName ? this.#session : null;
    const ports = [...new Set([httpsPort, ...(before?.since.keys() ?? []), ...more])];
    if (before !== null && ports.length === before.since.size) return interfaceName;
    await this.#end();
    const connections = before?.connections ?? new WatchedConnections();
    connections.ports = ports;
    const source = await this.#options.openSource({
      interface: interfaceName,
      filter: `(tcp or udp) and (${ports.map((port) => `port ${port}`).join(' or ')})`,
      snapLength,
      holdMs,
      onPacket: (frame, seconds, nanoseconds, originalLength) => {
        connections.push(frame, seconds, nanoseconds, originalLength, source.linkType);
      },
    });
    const atMs = Date.now();
    before?.losses.restart(atMs);
    this.#session = {
      interfaceName,
      source,
      connections,
      losses: before?.losses ?? new LossLog(atMs),
      since: new Map(ports.map((port) => [port, before?.since.get(port) ?? atMs])),
    };
    this.#failure = null;
    source.start();
    this.#timer = setInterval(() => {
      connections.forgetBefore(Date.now() - keptMs);
      this.#inTurn(() => this.#check()).catch(() => undefined);
    }, tidyMs);
    this.#timer.unref();
    return interfaceName;
  }

  /** Asks the capture whether it has lost any packets. @throws TowlineError when it has broken off */
  async #check(): Promise<void> {
    const { source, losses } = this.#running();
    try {
      losses.check(await source.lost(), Date.now());
    } catch (error) {
      await this.#fail(error);
    }
  }

  async #fail(error: unknown): Promise<never> {
    this.#failure = watchError(error);
    await this.#end();
    throw this.#failure;
  }

  async #end(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    const session = this.#session;
    this.#session = null;
    // A capture that had broken off says so once more.
    await session?.source.stop().catch(() => undefined);
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(act);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}
