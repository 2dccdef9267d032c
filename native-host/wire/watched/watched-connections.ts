import type { Endpoint } from '../flow-record.ts';
import { FlowTable } from '../flow-table.ts';
import { HeldMemory } from '../held-memory.ts';
import { destinationOf, sourceOf } from '../packet/packet-endpoints.ts';
import { ipProtocol, Packet, readUint16 } from '../packet/packet.ts';
import { looksLikeQuicInitial } from '../quic/looks-like-quic-initial.ts';
import type { Direction } from '../stream-sink.ts';
import { Segment, tcpFlag } from '../tcp/segment.ts';
import { EventLog } from './event-log.ts';
import { UnreadConnection } from './unread-connection.ts';
import type { WatchedConnection } from './watched-connection.ts';
import { WatchedQuic } from './watched-quic.ts';
import { WatchedTcp } from './watched-tcp.ts';

/** Followed at once; a browser has a few hundred. What comes beyond them is not followed, and known not to be. */
const usualMaxConnections = 1024;

/**
 * The encrypted connections that pass an interface, for as long as somebody watches: frames go in, and what stays of
 * them are times and lengths, bounded in number ({@link EventLog}) and in age ({@link forgetBefore}). It has no keys, and keeps
 * nothing of what was sent. Never throws on any frames.
 *
 * Which program a packet belongs to is not in it, and a browser tells an extension no client port: server's address,
 * port and time are all there is to go by.
 */
export class WatchedConnections {
  readonly log: EventLog;
  /** When a connection last could not be followed, since there were too many, ms since 1970. */
  overflowAtMs = Number.NEGATIVE_INFINITY;

  readonly #maxConnections: number;
  readonly #memory = new HeldMemory();
  readonly #packet = new Packet();
  readonly #segment = new Segment();
  readonly #table = new FlowTable<Entry>();
  readonly #byId = new Map<number, WatchedConnection>();
  #ports: ReadonlySet<number> = new Set();
  #nextId = 0;

  constructor(log = new EventLog(), maxConnections = usualMaxConnections) {
    this.log = log;
    this.#maxConnections = maxConnections;
  }

  /** Ports of servers: packets of others are passed over. */
  set ports(ports: Iterable<number>) {
    this.#ports = new Set(ports);
  }

  get all(): IterableIterator<WatchedConnection> {
    return this.#byId.values();
  }

  /**
   * One captured frame, in the order of the capture.
   *
   * @param frame may be a view on a buffer that is used again after the call
   * @param seconds since 1970
   * @param originalBytes its length on the wire
   */
  push(
    frame: Uint8Array,
    seconds: number,
    nanoseconds: number,
    originalBytes: number,
    linkType: number,
  ): void {
    const packet = this.#packet;
    if (!packet.decode(frame, linkType, originalBytes)) return;
    const atMs = seconds * 1000 + nanoseconds / 1e6;
    if (packet.protocol === ipProtocol.tcp) this.#onTcp(packet, atMs);
    else if (packet.protocol === ipProtocol.udp) this.#onUdp(packet, atMs);
  }

  /** Lets go of what has been silent since then, ms since 1970. */
  forgetBefore(atMs: number): void {
    for (const connection of this.#byId.values()) {
      if (connection.lastAtMs >= atMs) continue;
      this.#byId.delete(connection.id);
      // What waits behind holes is given back.
      if (connection instanceof WatchedTcp) connection.tcp.flush();
    }
    this.#table.remove(({ connection }) => !this.#byId.has(connection.id));
  }

  #onTcp(packet: Packet, atMs: number): void {
    const segment = this.#segment;
    if (!segment.read(packet)) return;
    const { sourcePort, destinationPort, flags, payloadBytes } = segment;
    const isSyn = (flags & (tcpFlag.syn | tcpFlag.ack)) === tcpFlag.syn;
    let entry = this.#table.find(packet, sourcePort, destinationPort);
    if (entry === undefined || (isSyn && beginsAnother(entry.connection, segment))) {
      // Bare ACKs of a connection that is otherwise silent are no reason to follow it.
      if (!isSyn && payloadBytes === 0) return;
      const firstIsClient = this.#sentByClient(sourcePort, destinationPort);
      if (firstIsClient === null) return;
      entry = this.#open(
        packet,
        sourcePort,
        destinationPort,
        isSyn || firstIsClient,
        (id, _client, server) =>
          isSyn
            ? new WatchedTcp(id, server, atMs, this.log, this.#memory)
            : new UnreadConnection(id, server, atMs),
      );
    }
    if (entry === undefined) this.overflowAtMs = atMs;
    if (entry === undefined) return;
    const { connection } = entry;
    if (payloadBytes > 0) connection.lastAtMs = Math.max(connection.lastAtMs, atMs);
    if (connection instanceof WatchedTcp) connection.tcp.segment(this.#direction(entry), segment, atMs);
  }

  #onUdp(packet: Packet, atMs: number): void {
    const { bytes, transportAt } = packet;
    const sourcePort = readUint16(bytes, transportAt);
    const destinationPort = readUint16(bytes, transportAt + 2);
    const payloadAt = transportAt + 8;
    const payload = bytes.subarray(payloadAt, packet.capturedEnd);
    const payloadBytes = packet.wireEnd - payloadAt;
    let entry = this.#table.find(packet, sourcePort, destinationPort);
    if (entry === undefined) {
      const firstIsClient = this.#sentByClient(sourcePort, destinationPort);
      if (firstIsClient === null) return;
      const begins = firstIsClient && looksLikeQuicInitial(payload, payloadBytes);
      entry = this.#open(packet, sourcePort, destinationPort, firstIsClient, (id, client, server) =>
        begins ? new WatchedQuic(id, client, server, atMs, this.log) : new UnreadConnection(id, server, atMs),
      );
    }
    if (entry === undefined) this.overflowAtMs = atMs;
    if (entry === undefined) return;
    const { connection } = entry;
    connection.lastAtMs = Math.max(connection.lastAtMs, atMs);
    if (connection instanceof WatchedQuic) {
      connection.datagram(this.#direction(entry), payload, payloadBytes, atMs);
    }
  }

  /** @returns undefined when there are too many */
  #open(
    packet: Packet,
    sourcePort: number,
    destinationPort: number,
    firstIsClient: boolean,
    make: (id: number, client: Endpoint, server: Endpoint) => WatchedConnection,
  ): Entry | undefined {
    if (this.#byId.size >= this.#maxConnections) return undefined;
    const ends = [sourceOf(packet, sourcePort), destinationOf(packet, destinationPort)] as const;
    const [client, server] = firstIsClient ? ends : [ends[1], ends[0]];
    const connection = make(this.#nextId++, client, server);
    const entry = { connection, firstIsClient };
    this.#byId.set(connection.id, connection);
    this.#table.set(packet, sourcePort, destinationPort, entry);
    return entry;
  }

  /** By the ports watched; null when neither is one. */
  #sentByClient(sourcePort: number, destinationPort: number): boolean | null {
    if (this.#ports.has(destinationPort)) return true;
    return this.#ports.has(sourcePort) ? false : null;
  }

  #direction({ firstIsClient }: Entry): Direction {
    return this.#table.fromFirst === firstIsClient ? 'up' : 'down';
  }
}

interface Entry {
  readonly connection: WatchedConnection;
  readonly firstIsClient: boolean;
}

/** A SYN with a new sequence number reuses the pair of addresses and ports for a new connection. */
function beginsAnother(connection: WatchedConnection, segment: Segment): boolean {
  return !(connection instanceof WatchedTcp) || connection.tcp.synSequence !== segment.sequence;
}
