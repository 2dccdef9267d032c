import type { Endpoint } from '../flow-record.ts';
import type { HeldMemory } from '../held-memory.ts';
import { TlsTimeline } from '../keyless/tls-timeline.ts';
import type { ByteSink, Direction, Span, TlsSink } from '../stream-sink.ts';
import { TcpFlow } from '../tcp/tcp-flow.ts';
import { TlsConnection } from '../tls/tls-connection.ts';
import type { EventLog } from './event-log.ts';
import type { EventTimeline, WatchedConnection } from './watched-connection.ts';

/** TLS over TCP: its records' headers go into the log, and of what they hold nothing is kept. */
export class WatchedTcp implements WatchedConnection, ByteSink, TlsSink {
  readonly id: number;
  readonly server: Endpoint;
  readonly openedAtMs: number;
  readonly tcp: TcpFlow;
  lastAtMs: number;

  readonly #log: EventLog;
  readonly #tls: TlsConnection;
  #gapAtMs = Number.NEGATIVE_INFINITY;

  /** @param memory shared by all connections of the watch */
  constructor(id: number, server: Endpoint, openedAtMs: number, log: EventLog, memory: HeldMemory) {
    this.id = id;
    this.server = server;
    this.openedAtMs = this.lastAtMs = openedAtMs;
    this.#log = log;
    this.#tls = new TlsConnection(null, this, memory);
    this.tcp = new TcpFlow(memory);
    this.tcp.sink = this;
  }

  get unread(): 'in-the-clear' | null {
    return this.#tls.isTls ? null : 'in-the-clear';
  }

  get lossAtMs(): number {
    return this.tcp.up.hasHole || this.tcp.down.hasHole ? this.lastAtMs : this.#gapAtMs;
  }

  timeline(fromOpening: boolean): EventTimeline {
    const timeline = new TlsTimeline(this.#tls.handshake, !fromOpening);
    return {
      event: ({ direction, kind, lengthBytes, atMs }) => {
        const span = { firstAtMs: atMs, lastAtMs: atMs, deliveredAtMs: atMs };
        timeline.record(direction, kind, lengthBytes, span);
      },
      take: () => timeline.take(),
    };
  }

  onBytes(direction: Direction, bytes: Uint8Array, arrivedAtMs: number, deliveredAtMs: number): void {
    this.#tls.onBytes(direction, bytes, arrivedAtMs, deliveredAtMs);
  }

  onGap(direction: Direction, lengthBytes: number, atMs: number): void {
    this.#gapAtMs = atMs;
    this.#tls.onGap(direction, lengthBytes, atMs);
  }

  onRecord(direction: Direction, kind: number, lengthBytes: number, { lastAtMs: atMs }: Span): void {
    this.#log.append({ connectionId: this.id, kind, direction, lengthBytes, atMs });
  }

  onApplicationData(): void {
    // Without keys there is none.
  }

  onApplicationGap(): void {
    // Without keys there is none.
  }
}
