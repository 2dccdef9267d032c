import type { Protocol } from '../../shared/record/arm.ts';
import { protocolOfHandshake, type Activity, type Connection, type RoundTrips } from './connection.ts';
import type { FlowRecord } from './flow-record.ts';
import type { HeldMemory } from './held-memory.ts';
import { Http3Reader } from './http/http3-reader.ts';
import type { HttpExchange } from './http/http-exchange.ts';
import { QuicTimeline } from './keyless/quic-timeline.ts';
import type { KeyLog } from './keys/key-log.ts';
import { segmentBytesOf } from './quic-segments.ts';
import { QuicConnection } from './quic/quic-connection.ts';
import type { Direction, QuicSink, Span } from './stream-sink.ts';
import type { HandshakeFacts } from './tls/handshake-facts.ts';

const noId = new Uint8Array(0);

/** A QUIC connection: its datagrams in, its packets' times and its requests out. */
export class QuicFlow implements Connection, QuicSink {
  readonly transport = 'quic';
  readonly kind = 'quic';
  readonly scheme = 'https';
  /** Counts since the last {@link takeActivity}. */
  flow: FlowRecord;

  readonly #quic: QuicConnection;
  readonly #timeline: Pick<QuicTimeline, 'datagram' | 'packet' | 'take'>;
  readonly #reader = new Http3Reader();
  /** Bytes of the datagram being read that the snap length cut off. */
  #cutBytes = 0;
  /** The ID of the last 1-RTT packet of each direction: it seldom changes. */
  readonly #receiverIds: Record<Direction, Uint8Array> = { up: noId, down: noId };
  #openedAtMs: number | null = null;
  #handshakeRttMs: number | null = null;

  /**
   * @param keyLog null when no keys will ever come
   * @param memory shared by all connections of the capture
   * @param timeline told of every packet; what it estimates is the activity's
   */
  constructor(
    flow: FlowRecord,
    keyLog: KeyLog | null,
    memory: HeldMemory,
    timeline: Pick<QuicTimeline, 'datagram' | 'packet' | 'take'> = new QuicTimeline(),
  ) {
    this.flow = flow;
    this.#timeline = timeline;
    this.#quic = new QuicConnection(keyLog, this, memory);
  }

  get handshake(): HandshakeFacts {
    return this.#quic.handshake;
  }

  get quicVersion(): string | null {
    return this.#quic.version;
  }

  get protocol(): Protocol | null {
    return protocolOfHandshake(this.handshake);
  }

  get keyed(): boolean {
    return this.#quic.keyed;
  }

  get exchanges(): readonly HttpExchange[] {
    return this.#reader.exchanges;
  }

  get streamLimit(): number | null {
    return this.handshake.requestStreams;
  }

  get openedAtMs(): number {
    return this.#openedAtMs ?? this.flow.openedAtMs;
  }

  get handshakeRttMs(): number | null {
    return this.#handshakeRttMs ?? roundTrip(this.flow);
  }

  get readyAtMs(): number | null {
    return this.#quic.firstShortUpAtMs;
  }

  get notes(): readonly string[] {
    return [...this.#quic.notes, ...this.#reader.notes];
  }

  /** Whether a datagram on another pair of addresses is this connection's, which has moved. */
  claims(payload: Uint8Array): boolean {
    return this.#quic.claims(payload);
  }

  /** @param payload as captured, of `payloadBytes` sent */
  datagram(direction: Direction, payload: Uint8Array, payloadBytes: number, atMs: number): void {
    const segmentBytes = isShortHeader(payload)
      ? segmentBytesOf(payload, this.#receiverId(direction, payload))
      : null;
    if (segmentBytes === null) {
      this.#oneDatagram(direction, payload, payloadBytes, atMs);
      return;
    }
    for (let at = 0; at < payload.length; at += segmentBytes) {
      const segment = payload.subarray(at, at + segmentBytes);
      this.#oneDatagram(direction, segment, Math.min(segmentBytes, payloadBytes - at), atMs);
    }
  }

  #oneDatagram(direction: Direction, payload: Uint8Array, payloadBytes: number, atMs: number): void {
    this.#cutBytes = payloadBytes - payload.length;
    this.#timeline.datagram(direction, payloadBytes);
    this.#quic.onDatagram(direction, payload, atMs);
  }

  /** The connection ID that a 1-RTT packet begins with; empty when it is none of those known. */
  #receiverId(direction: Direction, payload: Uint8Array): Uint8Array {
    const last = this.#receiverIds[direction];
    if (last.length > 0 && beginsWith(payload, last)) return last;
    const ids = direction === 'up' ? this.#quic.connectionIds.server : this.#quic.connectionIds.client;
    const found = ids.map((hex) => Buffer.from(hex, 'hex')).find((id) => beginsWith(payload, id));
    return (this.#receiverIds[direction] = found ?? noId);
  }

  takeActivity(): Activity {
    const { flow } = this;
    this.#openedAtMs ??= flow.openedAtMs;
    this.#handshakeRttMs ??= roundTrip(flow);
    this.flow = flow.renewed();
    return {
      connection: this,
      flow,
      tcp: null,
      roundTrips: this.#takeRoundTrips(),
      ...this.#timeline.take(),
    };
  }

  #takeRoundTrips(): RoundTrips {
    const byAck = this.#quic.ackRoundTrips.takeSummary();
    const bySpin = this.#quic.spinBit.takeSummary(this.handshakeRttMs);
    if (byAck !== null) return { series: byAck, by: 'quic-ack', missing: null };
    if (bySpin !== null) return { series: bySpin, by: 'spin-bit', missing: null };
    const missing = this.keyed
      ? 'No packet of the client was acknowledged in the capture.'
      : 'Without keys the ACKs of QUIC cannot be read, and its spin bit does not turn.';
    return { series: null, by: null, missing };
  }

  onKeys(): void {
    this.#quic.flush();
  }

  finish(atMs: number): void {
    this.#quic.finish(atMs);
  }

  onPacket(
    direction: Direction,
    form: Parameters<QuicSink['onPacket']>[1],
    lengthBytes: number,
    atMs: number,
  ): void {
    // Only a short header's packet has no length of its own: it ends with the datagram.
    const missingBytes = form === 'short' ? this.#cutBytes : 0;
    this.#timeline.packet(direction, form, lengthBytes + missingBytes, atMs);
  }

  onStreamData(
    direction: Direction,
    streamId: number,
    offset: number,
    bytes: Uint8Array,
    fin: boolean,
    span: Span,
  ): void {
    this.#reader.onStreamData(direction, streamId, offset, bytes, fin, span);
  }

  onStreamReset(direction: Direction, streamId: number): void {
    this.#reader.onStreamReset(direction, streamId);
  }
}

/** From the client's first packet to the server's, ms; null where the capture lacks either. */
function roundTrip({ firstPacketUpAtMs, firstPacketDownAtMs }: FlowRecord): number | null {
  if (firstPacketUpAtMs === null || firstPacketDownAtMs === null) return null;
  return firstPacketDownAtMs >= firstPacketUpAtMs ? firstPacketDownAtMs - firstPacketUpAtMs : null;
}

/** RFC 9000 section 17.3.1. */
function isShortHeader(payload: Uint8Array): boolean {
  return payload.length > 0 && (payload[0]! & 0x80) === 0;
}

/** Whether a short header names this receiver. */
function beginsWith(payload: Uint8Array, connectionId: Uint8Array): boolean {
  for (let i = 0; i < connectionId.length; i += 1) if (payload[1 + i] !== connectionId[i]) return false;
  return true;
}
