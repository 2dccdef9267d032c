import type { Protocol } from '../../shared/record/arm.ts';
import { protocolOfHandshake, type Activity, type Connection, type RoundTrips } from './connection.ts';
import type { FlowRecord } from './flow-record.ts';
import type { HeldMemory } from './held-memory.ts';
import type { ConnectionReader } from './http/connection-reader.ts';
import { Http1Reader } from './http/http1-reader.ts';
import { Http2Reader } from './http/http2-reader.ts';
import type { HttpExchange } from './http/http-exchange.ts';
import { TlsTimeline } from './keyless/tls-timeline.ts';
import type { KeyLog } from './keys/key-log.ts';
import type { ByteSink, Direction, Span, TlsSink } from './stream-sink.ts';
import type { TcpCounts } from './tcp/tcp-counts.ts';
import { TcpFlow } from './tcp/tcp-flow.ts';
import type { HandshakeFacts } from './tls/handshake-facts.ts';
import { TlsConnection } from './tls/tls-connection.ts';

/** How requests in the clear begin. */
const httpMethod = /^(GET|POST|HEAD|PUT|DELETE|OPTIONS|PATCH|TRACE|CONNECT) /;
/** What HTTP/2 begins with, RFC 9113 section 3.4. */
const http2Preface = 'PRI * HTTP/2.0';

/** A TCP connection: finds out by its first bytes what it carries, and reads that. */
export class TcpConnection implements Connection, ByteSink, TlsSink {
  readonly transport = 'tcp';
  readonly quicVersion = null;
  /** Counts since the last {@link takeActivity}. */
  flow: FlowRecord;
  readonly tcp: TcpFlow;

  readonly #keyLog: KeyLog;
  readonly #memory: HeldMemory;
  #tls: TlsConnection | null = null;
  #timeline: TlsTimeline | null = null;
  #reader: ConnectionReader | null = null;
  #firstFlightBegun = false;
  #openedAtMs: number | null = null;

  /** @param memory shared by all connections of the capture */
  constructor(flow: FlowRecord, keyLog: KeyLog, memory: HeldMemory) {
    this.flow = flow;
    this.tcp = new TcpFlow(memory);
    this.#keyLog = keyLog;
    this.#memory = memory;
    this.tcp.sink = this;
  }

  get kind(): string {
    if (this.#tls?.isTls === true) return 'tls';
    return this.#reader === null ? 'tcp' : 'http';
  }

  /** Whether it carries TLS, or HTTP in the clear, as far as its first bytes were seen. */
  get isWeb(): boolean {
    return this.#tls !== null || this.#reader !== null;
  }

  get handshake(): HandshakeFacts | null {
    return this.#tls?.isTls === true ? this.#tls.handshake : null;
  }

  get scheme(): 'http' | 'https' {
    return this.#tls === null ? 'http' : 'https';
  }

  get protocol(): Protocol | null {
    if (this.#reader instanceof Http2Reader) return 'h2';
    if (this.#reader instanceof Http1Reader) return 'h1';
    return this.handshake === null ? 'other' : protocolOfHandshake(this.handshake);
  }

  get keyed(): boolean {
    return this.#tls === null ? this.#reader !== null : this.#tls.keyed;
  }

  get exchanges(): readonly HttpExchange[] {
    return this.#reader?.exchanges ?? [];
  }

  get streamLimit(): number | null {
    return this.#reader instanceof Http2Reader ? this.#reader.streamLimit : null;
  }

  get openedAtMs(): number {
    return this.#openedAtMs ?? this.flow.openedAtMs;
  }

  get handshakeRttMs(): number | null {
    return this.tcp.handshakeRttMs;
  }

  get readyAtMs(): number | null {
    if (this.handshake !== null) return this.handshake.clientFinishedAtMs;
    const rttMs = this.tcp.handshakeRttMs;
    return rttMs === null ? null : this.openedAtMs + rttMs;
  }

  get notes(): readonly string[] {
    return [...(this.#tls?.notes ?? []), ...(this.#reader?.notes ?? [])];
  }

  takeActivity(): Activity {
    this.#openedAtMs ??= this.flow.openedAtMs;
    const { flow } = this;
    const estimates = this.#timeline?.take() ?? { firstRequest: null, lastResponse: null };
    this.flow = flow.renewed();
    const tcp = this.tcp.takeCounts();
    return { connection: this, flow, tcp, roundTrips: roundTripsOf(tcp), ...estimates };
  }

  onKeys(): void {
    this.#tls?.flush();
  }

  finish(): void {
    this.tcp.flush();
    this.#tls?.finish();
    for (const direction of ['up', 'down'] as const) {
      const closed = (this.#tls?.closeNotifyAtMs[direction] ?? null) !== null;
      if (closed || this.tcp.ended[direction]) this.#reader?.onEnd(direction);
    }
  }

  /** The first bytes: afterwards the TCP flow gives them to their reader directly, or to nobody. */
  onBytes(direction: Direction, bytes: Uint8Array, arrivedAtMs: number, deliveredAtMs: number): void {
    const sink = this.#recognise(direction, bytes);
    this.tcp.sink = sink;
    sink?.onBytes(direction, bytes, arrivedAtMs, deliveredAtMs);
  }

  onGap(): void {
    // Before anything was recognised there is nobody to tell.
  }

  onRecord(direction: Direction, contentType: number, lengthBytes: number, span: Span): void {
    this.#timeline?.record(direction, contentType, lengthBytes, span);
    if (direction === 'up' && !this.#firstFlightBegun) this.#beginFirstFlight();
  }

  onApplicationData(direction: Direction, plaintext: Uint8Array, span: Span): void {
    this.#reader ??= this.#readerFor(direction, plaintext);
    this.#reader.onApplicationData(direction, plaintext, span);
  }

  onApplicationGap(direction: Direction, atMs: number): void {
    this.#reader?.onApplicationGap(direction, atMs);
  }

  #recognise(direction: Direction, bytes: Uint8Array): ByteSink | null {
    if (beginsTls(bytes)) {
      this.#tls = new TlsConnection(this.#keyLog, this, this.#memory);
      this.#timeline = new TlsTimeline(this.#tls.handshake);
      return this.#tls;
    }
    const text = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
    if (direction === 'down' || !(httpMethod.test(text) || text.startsWith(http2Preface))) return null;
    const reader = this.#readerFor(direction, bytes);
    this.#reader = reader;
    return new PlainSink(reader, this);
  }

  #readerFor(direction: Direction, bytes: Uint8Array): ConnectionReader {
    const alpn = this.handshake?.alpn ?? null;
    const beginsLikeHttp2 =
      direction === 'up' &&
      Buffer.from(bytes.subarray(0, http2Preface.length)).toString('latin1') === http2Preface;
    return alpn === 'h2' || (alpn === null && beginsLikeHttp2)
      ? new Http2Reader()
      : new Http1Reader(this.scheme);
  }

  /** The initial window is counted from the first request on. */
  #beginFirstFlight(): void {
    const request = this.#timeline?.firstRequest ?? null;
    if (request === null) return;
    this.#firstFlightBegun = true;
    this.tcp.firstFlight.request(request.atMs, this.tcp.handshakeRttMs);
  }
}

/** Feeds a reader with bytes that were never encrypted: each packet's bytes are one piece. */
class PlainSink implements ByteSink {
  readonly #reader: ConnectionReader;
  readonly #connection: TcpConnection;

  constructor(reader: ConnectionReader, connection: TcpConnection) {
    this.#reader = reader;
    this.#connection = connection;
  }

  onBytes(direction: Direction, bytes: Uint8Array, arrivedAtMs: number, deliveredAtMs: number): void {
    if (direction === 'up') {
      this.#connection.tcp.firstFlight.request(arrivedAtMs, this.#connection.tcp.handshakeRttMs);
    }
    const span = { firstAtMs: arrivedAtMs, lastAtMs: arrivedAtMs, deliveredAtMs };
    this.#reader.onApplicationData(direction, bytes, span);
  }

  onGap(direction: Direction, _lengthBytes: number, atMs: number): void {
    this.#reader.onApplicationGap(direction, atMs);
  }
}

function roundTripsOf({ ackRtt: series }: TcpCounts): RoundTrips {
  return series === null
    ? { series, by: null, missing: 'No data of the client was acknowledged in the capture.' }
    : { series, by: 'tcp-ack', missing: null };
}

/** A record header, or as much of one as there is: RFC 8446 section 5.1. */
function beginsTls(bytes: Uint8Array): boolean {
  const [type = 0, major = 3, minor = 1] = bytes;
  return type >= 20 && type <= 23 && major === 3 && minor <= 4;
}
