import type { Wire } from '../../shared/record/wire.ts';
import { CaptureClock } from './capture-clock.ts';
import { ClientSide } from './client-side.ts';
import type { Connection } from './connection.ts';
import { FlowRecord, type Endpoint } from './flow-record.ts';
import { FlowTable } from './flow-table.ts';
import { HeldMemory } from './held-memory.ts';
import { KeyLog } from './keys/key-log.ts';
import { LoadSplitter, noLoad } from './load-splitter.ts';
import { isKnownLinkType } from './packet/link-type.ts';
import { destinationOf, sourceOf } from './packet/packet-endpoints.ts';
import { ipProtocol, Packet, readUint16 } from './packet/packet.ts';
import { udpName } from './packet/protocol-names.ts';
import type { PageDescription } from './page.ts';
import { QuicFlow } from './quic-flow.ts';
import { looksLikeQuicInitial } from './quic/looks-like-quic-initial.ts';
import type { Direction } from './stream-sink.ts';
import { TcpConnection } from './tcp-connection.ts';
import { Segment, tcpFlag } from './tcp/segment.ts';
import { wireReport } from './wire-report.ts';

export interface AnalyzerOptions {
  /** LINKTYPE_ or DLT_ number of the capture, for frames that come without one of their own. */
  readonly linkType: number;
  /** What is sent from these is "up". Without them the client is told by SYNs, Initials and port numbers. */
  readonly clientAddresses?: readonly string[];
  /** A pause of web traffic this long, ms, ends a page load: what follows is another. Null is one load. */
  readonly splitIdleMs?: number | null;
}

/** DNS and multicast DNS: kept apart, an idle browser emits it all the time. */
const dnsPorts: readonly number[] = [53, 853, 5353];

/**
 * Connections followed, and pairs of UDP endpoints remembered, each: a day of browsing has fewer. What a scan or a
 * flood adds beyond them is counted only. A connection costs about 2 KB, and as much again in the result.
 */
const maxFlows = 100_000;

/** Of QUIC connections, how many of the newest are asked whether a datagram from elsewhere is theirs. */
const maxMoved = 256;

/** What packets of flows beyond {@link maxFlows} are counted as. */
const beyondFlows = 'flow not followed';

/** An UDP flow that is no QUIC. */
const noConnection = null;

/**
 * Turns captured frames into the figures of a page load, as they come: frames go in one by one, keys whenever
 * there are some, and {@link finish} gives the result. Memory is bounded by flows and requests, not packets.
 * Never throws on any frames or keys.
 */
export class WireAnalyzer {
  readonly #linkType: number;
  readonly #clientSide: ClientSide;
  readonly #packet = new Packet();
  readonly #segment = new Segment();
  readonly #tcpFlows = new FlowTable<TcpFlowEntry>();
  readonly #udpFlows = new FlowTable<UdpFlowEntry | null>();
  readonly #connections: Connection[] = [];
  readonly #quicFlows: QuicFlow[] = [];
  readonly #memory = new HeldMemory();
  readonly #keyLog = new KeyLog();
  readonly #clock = new CaptureClock();
  readonly #loads: LoadSplitter;
  #lastFlowPacketMs: number | null = null;
  /** Pairs of UDP endpoints remembered. */
  #udpPairs = 0;

  constructor(options: AnalyzerOptions) {
    this.#linkType = options.linkType;
    this.#clientSide = new ClientSide(options.clientAddresses);
    this.#loads = new LoadSplitter(this.#connections, options.splitIdleMs ?? Number.POSITIVE_INFINITY);
  }

  /**
   * One captured frame, in the order of the capture.
   *
   * @param frame what was captured of it; may be a view on a buffer that is used again after the call
   * @param seconds since 1970
   * @param nanoseconds of that second
   * @param originalBytes its length on the wire
   * @param linkType of its interface, where a file has several
   */
  push(
    frame: Uint8Array,
    seconds: number,
    nanoseconds: number,
    originalBytes: number,
    linkType = this.#linkType,
  ): void {
    const atMs = this.#clock.read(seconds, nanoseconds);
    const packet = this.#packet;
    if (!packet.decode(frame, linkType, originalBytes)) this.#loads.countOther(packet.other);
    else if (packet.protocol === ipProtocol.tcp) this.#onTcp(packet, atMs);
    else this.#onUdp(packet, atMs);
  }

  /**
   * More of the browser's TLS key log (SSLKEYLOGFILE): whole lines or pieces of them. Keys may come before or
   * after the packets they open; what waits for keys is bounded (1 MiB per connection).
   */
  addKeyLog(text: string): void {
    const { revision } = this.#keyLog;
    this.#keyLog.add(text);
    if (this.#keyLog.revision === revision) return;
    for (const connection of this.#connections) connection.onKeys();
  }

  /** All keys were given: nothing need be kept for others to come. */
  endKeyLog(): void {
    this.#keyLog.end();
  }

  /** When the last packet of any TCP or QUIC flow passed, ms since 1970; null before the first. */
  get lastFlowPacketMs(): number | null {
    return this.#lastFlowPacketMs;
  }

  /** The figures of the page. Call once, after the last frame and key. */
  finish(page: PageDescription): Wire {
    const [load] = this.finishLoads(page);
    return load;
  }

  /**
   * The figures of each page load, in the order of time; more than one only with `splitIdleMs`. Pauses between
   * which no request was made are not told as loads of their own. Call once, after the last frame and key.
   */
  finishLoads(page: PageDescription): [Wire, ...Wire[]] {
    this.endKeyLog();
    for (const connection of this.#connections) connection.finish(this.#clock.lastAtMs);
    this.#loads.end(Number.POSITIVE_INFINITY);
    const wires = this.#loads.past.map((load) =>
      wireReport({ ...load, keyLog: this.#keyLog, notes: this.#notes() }, page),
    );
    const [first, ...others] = wires.filter((wire) => wire.epochMs !== null);
    if (first !== undefined) return [first, ...others];
    const [whole = wireReport({ ...noLoad, keyLog: this.#keyLog, notes: this.#notes() }, page)] = wires;
    return [whole];
  }

  #onTcp(packet: Packet, atMs: number): void {
    const segment = this.#segment;
    if (!segment.read(packet)) {
      this.#loads.countOther('malformed tcp');
      return;
    }
    const { sourcePort, destinationPort } = segment;
    if (isDns(sourcePort, destinationPort)) {
      this.#loads.countOther('dns');
      return;
    }
    let entry = this.#tcpFlows.find(packet, sourcePort, destinationPort);
    if (entry === undefined || beginsAnother(entry.connection, segment)) {
      if (this.#connections.length >= maxFlows) {
        this.#loads.countOther(beyondFlows);
        return;
      }
      entry = this.#openTcp(packet, segment);
    }
    const direction: Direction = this.#tcpFlows.fromFirst === entry.firstIsClient ? 'up' : 'down';
    if (segment.payloadBytes > 0 && entry.connection.isWeb) {
      this.#loads.webPacket(atMs);
    } else if ((segment.flags & tcpFlag.syn) !== 0) {
      this.#loads.splitBefore(atMs);
    }
    this.#lastFlowPacketMs = atMs;
    entry.connection.flow.count(direction, packet.ipBytes, atMs);
    entry.connection.tcp.segment(direction, segment, atMs);
  }

  #openTcp(packet: Packet, segment: Segment): TcpFlowEntry {
    const { sourcePort, destinationPort, flags } = segment;
    const source = sourceOf(packet, sourcePort);
    const destination = destinationOf(packet, destinationPort);
    const firstIsClient =
      (flags & tcpFlag.syn) === 0
        ? this.#clientSide.isSourceOfTcp(source, destination)
        : (flags & tcpFlag.ack) === 0;
    const flow = this.#newFlow(source, destination, firstIsClient);
    const entry = { connection: new TcpConnection(flow, this.#keyLog, this.#memory), firstIsClient };
    this.#connections.push(entry.connection);
    this.#tcpFlows.set(packet, sourcePort, destinationPort, entry);
    return entry;
  }

  #onUdp(packet: Packet, atMs: number): void {
    const { bytes, transportAt } = packet;
    const sourcePort = readUint16(bytes, transportAt);
    const destinationPort = readUint16(bytes, transportAt + 2);
    if (isDns(sourcePort, destinationPort)) {
      this.#loads.countOther('dns');
      return;
    }
    const payloadAt = transportAt + 8;
    const payload = bytes.subarray(payloadAt, packet.capturedEnd);
    const payloadBytes = packet.wireEnd - payloadAt;
    let entry = this.#udpFlows.find(packet, sourcePort, destinationPort);
    // A port that carried something else before may carry QUIC now.
    if (entry === undefined || (entry === noConnection && looksLikeQuicInitial(payload, payloadBytes))) {
      entry = this.#openUdp(packet, sourcePort, destinationPort, payload, payloadBytes);
    }
    if (entry === noConnection || entry === undefined) {
      this.#loads.countOther(entry === undefined ? beyondFlows : udpName(sourcePort, destinationPort));
      return;
    }
    const direction: Direction = this.#udpFlows.fromFirst === entry.firstIsClient ? 'up' : 'down';
    this.#loads.webPacket(atMs);
    this.#lastFlowPacketMs = atMs;
    entry.connection.flow.count(direction, packet.ipBytes, atMs);
    entry.connection.datagram(direction, payload, payloadBytes, atMs);
  }

  #openUdp(
    packet: Packet,
    sourcePort: number,
    destinationPort: number,
    payload: Uint8Array,
    payloadBytes: number,
  ): UdpFlowEntry | null | undefined {
    if (this.#connections.length >= maxFlows || this.#udpPairs >= maxFlows) return undefined;
    const entry = looksLikeQuicInitial(payload, payloadBytes)
      ? this.#newQuic(packet, sourcePort, destinationPort)
      : this.#movedQuic(packet, destinationPort, payload);
    this.#udpPairs += 1;
    this.#udpFlows.set(packet, sourcePort, destinationPort, entry);
    return entry;
  }

  #newQuic(packet: Packet, sourcePort: number, destinationPort: number): UdpFlowEntry {
    const source = sourceOf(packet, sourcePort);
    const destination = destinationOf(packet, destinationPort);
    const firstIsClient = this.#clientSide.isSourceOfQuic(source, destination);
    const flow = this.#newFlow(source, destination, firstIsClient);
    const connection = new QuicFlow(flow, this.#keyLog, this.#memory);
    this.#connections.push(connection);
    this.#quicFlows.push(connection);
    return { connection, firstIsClient };
  }

  /** A client that has changed its address keeps its connection (RFC 9000 section 9). */
  #movedQuic(packet: Packet, destinationPort: number, payload: Uint8Array): UdpFlowEntry | null {
    const { address } = destinationOf(packet, destinationPort);
    for (const connection of this.#quicFlows.slice(-maxMoved)) {
      const { server } = connection.flow;
      if (server.port !== destinationPort || server.address !== address) continue;
      if (connection.claims(payload)) return { connection, firstIsClient: true };
    }
    return noConnection;
  }

  #newFlow(first: Endpoint, second: Endpoint, firstIsClient: boolean): FlowRecord {
    const id = this.#connections.length;
    return firstIsClient ? new FlowRecord(id, first, second) : new FlowRecord(id, second, first);
  }

  #notes(): string[] {
    const notes: string[] = [];
    if (!isKnownLinkType(this.#linkType)) notes.push(`Link type ${this.#linkType} cannot be read.`);
    notes.push(...this.#clock.notes);
    if (this.#connections.length >= maxFlows || this.#udpPairs >= maxFlows) {
      notes.push(`There are more flows than the first ${maxFlows}, which alone were followed.`);
    }
    const { badLines, connections } = this.#keyLog;
    if (badLines > 0 && connections === 0) {
      notes.push('What was given as key log holds no keys: the capture was read without.');
    } else if (badLines > 0) {
      notes.push(`${badLines} ${badLines === 1 ? 'line' : 'lines'} of the key log cannot be read.`);
    }
    return notes;
  }
}

interface TcpFlowEntry {
  readonly connection: TcpConnection;
  readonly firstIsClient: boolean;
}

interface UdpFlowEntry {
  readonly connection: QuicFlow;
  readonly firstIsClient: boolean;
}

/** A SYN with a new sequence number reuses the pair of addresses and ports for a new connection. */
function beginsAnother(connection: TcpConnection, segment: Segment): boolean {
  if ((segment.flags & (tcpFlag.syn | tcpFlag.ack)) !== tcpFlag.syn) return false;
  return connection.tcp.synSequence !== segment.sequence;
}

function isDns(sourcePort: number, destinationPort: number): boolean {
  return dnsPorts.includes(sourcePort) || dnsPorts.includes(destinationPort);
}
