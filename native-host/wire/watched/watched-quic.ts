import { FlowRecord, type Endpoint } from '../flow-record.ts';
import { HeldMemory } from '../held-memory.ts';
import { QuicTimeline } from '../keyless/quic-timeline.ts';
import { QuicFlow } from '../quic-flow.ts';
import type { Direction } from '../stream-sink.ts';
import { quicEvent, type EventLog } from './event-log.ts';
import type { EventTimeline, WatchedConnection } from './watched-connection.ts';

/** Without keys only pieces of a ClientHello or ServerHello can wait for others: a few KB. */
const heldBytes = 64 * 1024;

/** QUIC: its packets' headers go into the log, and of what they hold nothing is kept. */
export class WatchedQuic implements WatchedConnection {
  readonly unread = null;
  /** Nothing in the clear tells of missing packets; the capture's own count has to do. */
  readonly lossAtMs = Number.NEGATIVE_INFINITY;
  readonly id: number;
  readonly server: Endpoint;
  readonly openedAtMs: number;
  lastAtMs: number;

  readonly #log: EventLog;
  readonly #quic: QuicFlow;
  #atMs: number;

  constructor(id: number, client: Endpoint, server: Endpoint, openedAtMs: number, log: EventLog) {
    this.id = id;
    this.server = server;
    this.openedAtMs = this.lastAtMs = this.#atMs = openedAtMs;
    this.#log = log;
    this.#quic = new QuicFlow(new FlowRecord(id, client, server), null, new HeldMemory(heldBytes), {
      datagram: (direction, payloadBytes) => {
        this.#append(quicEvent.datagram, direction, payloadBytes);
      },
      packet: (direction, form, lengthBytes) => {
        if (form === 'short') this.#append(quicEvent.short, direction, lengthBytes);
        else if (form === '0-rtt') this.#append(quicEvent.zeroRtt, direction, lengthBytes);
      },
      take: () => ({ firstRequest: null, lastResponse: null }),
    });
  }

  /** @param payload as captured, of `payloadBytes` sent */
  datagram(direction: Direction, payload: Uint8Array, payloadBytes: number, atMs: number): void {
    this.#atMs = atMs;
    this.#quic.datagram(direction, payload, payloadBytes, atMs);
  }

  timeline(): EventTimeline {
    const timeline = new QuicTimeline();
    return {
      event: ({ kind, direction, lengthBytes, atMs }) => {
        if (kind === quicEvent.datagram) timeline.datagram(direction, lengthBytes);
        else timeline.packet(direction, kind === quicEvent.short ? 'short' : '0-rtt', lengthBytes, atMs);
      },
      take: () => timeline.take(),
    };
  }

  #append(kind: number, direction: Direction, lengthBytes: number): void {
    this.#log.append({ connectionId: this.id, kind, direction, lengthBytes, atMs: this.#atMs });
  }
}
