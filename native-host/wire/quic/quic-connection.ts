import { HeldMemory } from '../held-memory.ts';
import type { KeyLog } from '../keys/key-log.ts';
import type { Direction, QuicSink } from '../stream-sink.ts';
import { HandshakeFacts } from '../tls/handshake-facts.ts';
import { AckRoundTrips } from './ack-round-trips.ts';
import { ConnectionIds } from './connection-ids.ts';
import { CryptoStreams } from './crypto-streams.ts';
import type { EncryptionLevel } from './encryption-level.ts';
import { InitialOpener } from './initial-opener.ts';
import { isLongHeader, parseInvariantHeader, parseLongHeader, type LongHeader } from './long-header.ts';
import type { OpenedPacket } from './packet-keys.ts';
import { quicVersionName, quicVersionOf, type QuicVersion } from './quic-version.ts';
import { readFrames, type FrameVisitor } from './read-frames.ts';
import { SealedPackets } from './sealed-packets.ts';
import { SpinBit } from './spin-bit.ts';
import { StreamTable } from './stream-table.ts';

/** A TLS alert as an error of QUIC, RFC 9001 section 4.8: ech_required, RFC 9849 section 5. */
const echRequiredError = 0x0100 + 121;

/** UDP datagrams of one direction, UDP payload bytes, and the QUIC packets in them. */
export interface QuicTraffic {
  datagrams: number;
  bytes: number;
  packets: number;
}

/**
 * One QUIC connection of version 1 or 2: what its Initial packets say, which anybody can open; its packets;
 * and, with the keys of a key log, its streams. Never throws on any bytes.
 *
 * Source: RFC 9000, RFC 9001, RFC 9369.
 */
export class QuicConnection {
  readonly handshake = new HandshakeFacts();
  /** `v1`, `v2` or the number in hexadecimal, as last seen in a long header; null before the first. */
  version: string | null = null;
  /** The server answered an Initial by a Retry (whose tag was checked). */
  retry = false;
  /** The server answered by the versions it speaks. */
  versionNegotiation = false;
  /** First client packet with a short header: without keys, the sign that the handshake is done. */
  firstShortUpAtMs: number | null = null;
  /** The server's HANDSHAKE_DONE; keys only. */
  handshakeDoneAtMs: number | null = null;
  /** First CONNECTION_CLOSE that could be read; `application` is true for an error code of HTTP/3. */
  close: { direction: Direction; errorCode: number; application: boolean; atMs: number } | null = null;
  /** PATH_CHALLENGE frames: one side tried another path. Keys only. */
  pathChallenges = 0;
  /** STOP_SENDING frames. Keys only. */
  stopSendings = 0;
  readonly traffic: Readonly<Record<Direction, QuicTraffic>> = {
    up: { datagrams: 0, bytes: 0, packets: 0 },
    down: { datagrams: 0, bytes: 0, packets: 0 },
  };
  /** By the server's ACKs; keys only. */
  readonly ackRoundTrips = new AckRoundTrips();
  readonly spinBit = new SpinBit();
  /** What could not be read, in words; each is said once. */
  readonly notes: string[] = [];

  readonly #sink: QuicSink;
  readonly #streams: StreamTable;
  readonly #initials = new InitialOpener();
  /** Null without a key log. */
  readonly #sealed: SealedPackets | null;
  readonly #crypto: Readonly<Record<Direction, CryptoStreams>>;
  /** The IDs that packets of a direction are sent to: their receiver chose them. */
  readonly #destinations = { up: new ConnectionIds(), down: new ConnectionIds() };
  readonly #visitor: FrameVisitor;
  #quicVersion: QuicVersion | null = null;
  #unopenedInitials = 0;
  /** Of the packet whose frames are being read. */
  #current: { direction: Direction; level: EncryptionLevel; number: number; atMs: number } = {
    direction: 'up',
    level: 'initial',
    number: 0,
    atMs: 0,
  };

  /**
   * @param keyLog null when no keys will ever come: then nothing is kept for them
   * @param memory shared by all connections of the capture
   */
  constructor(keyLog: KeyLog | null, sink: QuicSink, memory = new HeldMemory()) {
    this.#sink = sink;
    this.#streams = new StreamTable(sink, memory);
    this.#sealed =
      keyLog === null
        ? null
        : new SealedPackets(keyLog, this.handshake, this.#destinations, memory, {
            onOpened: ({ direction, level, atMs }, opened) => {
              this.#readFrames(direction, level, opened, atMs);
            },
            onRest: (direction, bytes, atMs) => {
              this.#onPackets(direction, bytes, atMs);
            },
            onNote: (note) => {
              this.#note(note);
            },
          });
    const cryptoOf = (direction: Direction): CryptoStreams =>
      new CryptoStreams(memory, (type, body, span) => {
        this.handshake.onMessage(direction, type, body, span);
      });
    this.#crypto = { up: cryptoOf('up'), down: cryptoOf('down') };
    this.#visitor = this.#newVisitor();
  }

  /** True once a packet beyond the Initials was opened with the keys of the log. */
  get keyed(): boolean {
    return this.#sealed?.keyed ?? false;
  }

  /** Packets that the keys at hand did not open. */
  get unopened(): number {
    return this.#unopenedInitials + (this.#sealed?.unopened ?? 0);
  }

  /** Updates of the 1-RTT keys seen, in both directions. */
  get keyUpdates(): number {
    return this.#sealed?.keyUpdates ?? 0;
  }

  /** Lower-case hexadecimal: where the client first sent to, and what each side chose since, as far as seen. */
  get connectionIds(): { original: string | null; client: readonly string[]; server: readonly string[] } {
    const { original } = this.#initials;
    return {
      original: original === null ? null : Buffer.from(original).toString('hex'),
      client: this.#destinations.down.all,
      server: this.#destinations.up.all,
    };
  }

  /**
   * Whether a client's datagram seen between other addresses belongs here: the client has moved. Goes by the
   * IDs that were read, so mostly by those of keyed connections; empty ones cannot be told.
   */
  claims(datagram: Uint8Array): boolean {
    if (datagram.length === 0) return false;
    if (!isLongHeader(datagram, 0)) return this.#destinations.up.begin(datagram, 1);
    const header = parseInvariantHeader(datagram, 0);
    return header !== null && this.#destinations.up.begin(header.destination, 0);
  }

  /** The payload of the next UDP datagram of this connection. */
  onDatagram(direction: Direction, datagram: Uint8Array, atMs: number): void {
    const traffic = this.traffic[direction];
    traffic.datagrams += 1;
    traffic.bytes += datagram.length;
    this.#onPackets(direction, datagram, atMs);
  }

  /** Opens what waited, if its keys have come. Call when keys were added. */
  flush(): void {
    this.#sealed?.flush();
  }

  /**
   * No more datagrams or keys will come: opens and delivers what can be, and lets go of the rest.
   *
   * @param atMs when the capture ended: the delivery time of what was held behind bytes that never came
   */
  finish(atMs: number): void {
    this.#sealed?.finish();
    if (this.#streams.giveUpHoles(atMs)) this.#note('Some bytes of its streams are not in the capture.');
  }

  #onPackets(direction: Direction, datagram: Uint8Array, atMs: number): void {
    let at = 0;
    while (at < datagram.length) {
      const end = isLongHeader(datagram, at)
        ? this.#onLongHeader(direction, datagram, at, atMs)
        : this.#onShortHeader(direction, datagram, at, atMs);
      if (end === null) return;
      this.traffic[direction].packets += 1;
      at = end;
      // Firefox fills datagrams up with zeros outside of packets; where the kernel was handed several at once,
      // the next begins behind them.
      while (datagram[at] === 0) at += 1;
    }
  }

  /** @returns where the packet ends, or null when the rest of the datagram cannot be read */
  #onLongHeader(direction: Direction, datagram: Uint8Array, at: number, atMs: number): number | null {
    const invariant = parseInvariantHeader(datagram, at);
    if (invariant === null) return null;
    const { versionNumber } = invariant;
    if (versionNumber === 0) {
      if (direction === 'down') this.#onVersionNegotiation();
      this.#sink.onPacket(direction, 'version-negotiation', datagram.length - at, atMs);
      return datagram.length;
    }
    if (quicVersionOf(versionNumber) === undefined) {
      this.version ??= quicVersionName(versionNumber);
      this.#note(`QUIC version ${quicVersionName(versionNumber)} cannot be read.`);
      return null;
    }
    const header = parseLongHeader(datagram, at, invariant);
    if (header === null) return null;
    this.#sink.onPacket(direction, header.type, header.end - at, atMs);
    this.version = header.version.name;
    this.#quicVersion = header.version;
    if (!header.whole) return null;
    if (header.type === 'retry') {
      if (direction === 'down' && this.#initials.takeRetry(datagram, at, header)) this.#onRetry();
    } else if (header.type === 'initial') {
      this.#onInitial(direction, datagram, at, header, atMs);
    } else {
      this.#sealed?.take({
        direction,
        level: header.type,
        version: header.version,
        bytes: datagram.subarray(at, header.end),
        numberAt: header.numberAt - at,
        atMs,
      });
    }
    return header.end;
  }

  #onVersionNegotiation(): void {
    this.versionNegotiation = true;
    this.#crypto.up.reset();
  }

  /** The client sends its ClientHello again. It should be the same one, but some send another. */
  #onRetry(): void {
    this.retry = true;
    this.#crypto.up.reset();
  }

  #onInitial(direction: Direction, datagram: Uint8Array, at: number, header: LongHeader, atMs: number): void {
    // Once the server has named itself the client sends there, and the keys stay those of its first ID.
    if (direction === 'up' && !this.#destinations.up.begin(header.destination, 0)) {
      this.#initials.addDestination(header.destination);
    }
    const opened = this.#initials.open(direction, datagram, at, header);
    if (opened === null) {
      this.#unopenedInitials += 1;
      return;
    }
    // What a packet's sender calls itself is what its peer will send to.
    this.#destinations[direction === 'up' ? 'down' : 'up'].add(header.source);
    this.#readFrames(direction, 'initial', opened, atMs);
    // A ServerHello may be what packets waited for.
    this.#sealed?.retry();
  }

  #onShortHeader(direction: Direction, datagram: Uint8Array, at: number, atMs: number): number | null {
    // What follows the last packet without the fixed bit is padding that some senders put outside of packets.
    if (at > 0 && (datagram[at]! & 0x40) === 0) return null;
    this.#sink.onPacket(direction, 'short', datagram.length - at, atMs);
    if (direction === 'up') this.firstShortUpAtMs ??= atMs;
    this.spinBit.packet(direction, datagram[at]!, atMs);
    const version = this.#quicVersion;
    if (this.#sealed === null || version === null) return datagram.length;
    const bytes = datagram.subarray(at);
    return at + this.#sealed.take({ direction, level: '1-rtt', version, bytes, numberAt: 0, atMs });
  }

  #readFrames(direction: Direction, level: EncryptionLevel, opened: OpenedPacket, atMs: number): void {
    this.#current = { direction, level, number: opened.number, atMs };
    const unknown = readFrames(opened.frames, this.#visitor);
    if (unknown !== null) this.#note(`A frame of type 0x${unknown.toString(16)} could not be read.`);
  }

  #newVisitor(): FrameVisitor {
    return {
      onAck: (largest, delay) => {
        const { direction, level, atMs } = this.#current;
        if (direction === 'up' || level !== '1-rtt') return;
        const delayMs = (delay * 2 ** this.handshake.ackDelayExponent) / 1000;
        this.ackRoundTrips.acknowledged(largest, delayMs, atMs);
      },
      onAckEliciting: () => {
        const { direction, level, number, atMs } = this.#current;
        const application = level === '1-rtt' || level === '0-rtt';
        if (direction === 'up' && application) this.ackRoundTrips.sent(number, atMs);
      },
      onCrypto: (offset, bytes) => {
        const { direction, level, atMs } = this.#current;
        this.#crypto[direction].add(level, offset, bytes, atMs);
      },
      onStream: (streamId, offset, bytes, fin) => {
        const { direction, atMs } = this.#current;
        if (direction === 'up') this.handshake.clientDataRead = true;
        this.#streams.add(direction, streamId, offset, bytes, fin, atMs);
      },
      onResetStream: (streamId) => {
        const { direction, atMs } = this.#current;
        this.#streams.reset(direction, streamId, atMs);
      },
      onStopSending: () => {
        this.stopSendings += 1;
      },
      onNewConnectionId: (connectionId) => {
        this.#destinations[this.#current.direction === 'up' ? 'down' : 'up'].add(connectionId);
      },
      onPathChallenge: () => {
        this.pathChallenges += 1;
      },
      onHandshakeDone: () => {
        this.handshakeDoneAtMs ??= this.#current.atMs;
      },
      onConnectionClose: (errorCode, application) => {
        const { direction, atMs } = this.#current;
        this.close ??= { direction, errorCode, application, atMs };
        if (direction === 'up' && errorCode === echRequiredError)
          this.handshake.encryptedClientHelloRequired = true;
      },
    };
  }

  #note(note: string): void {
    if (!this.notes.includes(note)) this.notes.push(note);
  }
}
