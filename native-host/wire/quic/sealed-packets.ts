import { cipherSuites } from '../keys/cipher-suite.ts';
import { type HeldMemory, pieceOverheadBytes } from '../held-memory.ts';
import type { KeyLog } from '../keys/key-log.ts';
import type { Direction } from '../stream-sink.ts';
import type { HandshakeFacts } from '../tls/handshake-facts.ts';
import type { ConnectionIds } from './connection-ids.ts';
import type { KeyedLevel } from './encryption-level.ts';
import { KeyedOpener } from './keyed-opener.ts';
import type { OpenedPacket } from './packet-keys.ts';
import type { QuicVersion } from './quic-version.ts';

/** Packets kept per connection, overhead included, while their keys, or the message that names them, are awaited. */
const maxWaitingBytes = 2 ** 20;

/** After so many packets in a row that no key opens, the keys are not this connection's. */
const maxFailures = 256;

/** A packet beyond the Initials, with what opening it takes. */
export interface SealedPacket {
  readonly direction: Direction;
  readonly level: KeyedLevel;
  readonly version: QuicVersion;
  /** From its first byte on; a 1-RTT packet does not say where it ends, and others may follow. */
  readonly bytes: Uint8Array;
  /** Where its packet number begins; unused for 1-RTT, whose connection ID has no length. */
  readonly numberAt: number;
  readonly atMs: number;
}

/** Takes what {@link SealedPackets} opens. */
export interface OpenedPacketListener {
  onOpened(packet: SealedPacket, opened: OpenedPacket): void;
  /** What followed a packet that had waited. */
  onRest(direction: Direction, bytes: Uint8Array, atMs: number): void;
  /** Something could not be read. */
  onNote(note: string): void;
}

/** One connection's packets beyond the Initials: opened at once, or kept until their keys are known. */
export class SealedPackets {
  /** Packets that the keys at hand did not open. */
  unopened = 0;
  /** True once one was opened. */
  keyed = false;

  readonly #keyLog: KeyLog;
  readonly #facts: HandshakeFacts;
  readonly #opener: KeyedOpener;
  readonly #destinations: Readonly<Record<Direction, ConnectionIds>>;
  readonly #memory: HeldMemory;
  readonly #listener: OpenedPacketListener;
  #waiting: SealedPacket[] = [];
  #waitingBytes = 0;
  #keyRevision = -1;
  #failures = 0;
  #closed = false;

  /**
   * @param destinations the IDs that packets of each direction are sent to
   * @param memory shared by all connections of the capture
   */
  constructor(
    keyLog: KeyLog,
    facts: HandshakeFacts,
    destinations: Readonly<Record<Direction, ConnectionIds>>,
    memory: HeldMemory,
    listener: OpenedPacketListener,
  ) {
    this.#keyLog = keyLog;
    this.#facts = facts;
    this.#opener = new KeyedOpener(keyLog, facts);
    this.#destinations = destinations;
    this.#memory = memory;
    this.#listener = listener;
  }

  get keyUpdates(): number {
    return this.#opener.keyUpdates;
  }

  /** @returns how many of the bytes the packet took */
  take(packet: SealedPacket): number {
    if (this.#closed) return packet.bytes.length;
    const taken = this.#open(packet);
    if (taken === 0) {
      this.#keep(packet);
      return packet.bytes.length;
    }
    if (packet.level === 'handshake') this.retry();
    return taken;
  }

  /** Opens what waited, if keys have come since. */
  flush(): void {
    if (this.#keyLog.revision !== this.#keyRevision) this.retry();
  }

  /** Opens what waited, if it can be: the handshake went on. */
  retry(): void {
    let opened = !this.#closed && this.#waiting.length > 0;
    while (opened) {
      this.#keyRevision = this.#keyLog.revision;
      const tried = this.#waiting;
      // Reading what follows a packet may keep others meanwhile.
      this.#waiting = [];
      const left = tried.filter((packet) => !this.#closed && !this.#openWaiting(packet));
      if (this.#closed) return;
      this.#waiting = [...left, ...this.#waiting];
      this.#hold(this.#waiting.reduce((sum, packet) => sum + keptBytes(packet), -this.#waitingBytes));
      opened = left.length < tried.length && this.#waiting.length > 0;
    }
  }

  /** No more packets or keys will come. */
  finish(): void {
    this.retry();
    if (this.#waiting.length > 0) this.#close(this.#missingKeys());
    this.#closed = true;
  }

  #openWaiting(packet: SealedPacket): boolean {
    const { direction, bytes, atMs } = packet;
    const taken = this.#open(packet);
    if (taken > 0 && taken < bytes.length) this.#listener.onRest(direction, bytes.subarray(taken), atMs);
    return taken > 0;
  }

  /** @returns how many bytes it took; 0 when it has to wait, for keys or for a message of the handshake */
  #open(packet: SealedPacket): number {
    const { direction, level, version, bytes, numberAt } = packet;
    const opened =
      level === '1-rtt'
        ? this.#opener.openShort(direction, version, bytes, this.#destinations[direction])
        : this.#opener.openLong(direction, level, version, bytes, numberAt);
    if (opened === 'wait') return 0;
    if (opened === null) {
      this.unopened += 1;
      this.#failures += 1;
      if (this.#failures >= maxFailures) {
        this.#close('Packets do not open with the keys that the key log has for this connection.');
      }
      return bytes.length;
    }
    this.#failures = 0;
    this.keyed = true;
    this.#listener.onOpened(packet, opened);
    return opened.bytes;
  }

  #keep(packet: SealedPacket): void {
    const { keyRandom, serverHello, cipherSuite } = this.#facts;
    if (serverHello !== null && !cipherSuites.has(serverHello.cipherSuite)) {
      this.#close(`QUIC with ${cipherSuite ?? '?'} cannot be decrypted here.`);
      return;
    }
    const mayBeInner = this.#facts.encryptedClientHello === true && serverHello === null;
    const unknown = keyRandom !== null && this.#keyLog.complete && !this.#keyLog.has(keyRandom);
    const hopeless = unknown && !mayBeInner;
    this.#hold(keptBytes(packet));
    if (hopeless || this.#waitingBytes > maxWaitingBytes || this.#memory.isFull) {
      this.#close(this.#missingKeys());
      return;
    }
    this.#waiting.push({ ...packet, bytes: Uint8Array.from(packet.bytes) });
  }

  #missingKeys(): string {
    const { keyRandom } = this.#facts;
    if (keyRandom === null) return 'The connection began before the capture: it cannot be decrypted.';
    return this.#keyLog.has(keyRandom)
      ? 'The key log lacks some of the keys of this connection.'
      : 'The key log has no keys for this connection.';
  }

  #hold(bytes: number): void {
    this.#waitingBytes += bytes;
    this.#memory.take(bytes);
  }

  #close(note: string): void {
    this.#listener.onNote(note);
    this.#closed = true;
    this.#waiting = [];
    this.#hold(-this.#waitingBytes);
  }
}

function keptBytes({ bytes }: SealedPacket): number {
  return pieceOverheadBytes + bytes.length;
}
