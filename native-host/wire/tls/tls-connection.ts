import { HeldMemory } from '../held-memory.ts';
import type { KeyLog } from '../keys/key-log.ts';
import type { ByteSink, Direction, Span, TlsSink } from '../stream-sink.ts';
import { HandshakeAssembler, handshakeType } from './handshake-assembler.ts';
import { HandshakeFacts } from './handshake-facts.ts';
import { contentType, type OpenedRecord } from './record-opener.ts';
import { RecordReader, recordHeaderBytes } from './record-reader.ts';
import { SealedRecords } from './sealed-records.ts';

/** Alert descriptions, RFC 8446 section 6 and RFC 9849 section 5. */
const alert = { closeNotify: 0, echRequired: 121 } as const;

/** A record of CCM_8 with one byte in it. */
const leastSealedBytes = 9;

const noHeader = new Uint8Array(0);

/** One direction of a connection. */
interface Half {
  readonly reader: RecordReader;
  readonly assembler: HandshakeAssembler;
  /** TLS 1.2: what follows change_cipher_spec is sealed. TLS 1.3: so is every application_data record. */
  sealed: boolean;
  /** Bytes of it are missing. */
  lossy: boolean;
}

/**
 * One TLS connection over TCP: what its handshake says in the clear, its records, and, with the keys of a key
 * log, its application data. TLS 1.2 (AES-GCM, AES-CCM, AES-CBC,
 * ChaCha20-Poly1305) and 1.3. Never throws on any bytes.
 */
export class TlsConnection implements ByteSink {
  readonly handshake = new HandshakeFacts();
  /** Arrival of the sender's close_notify; null when it was not seen or not readable. */
  readonly closeNotifyAtMs: Record<Direction, number | null> = { up: null, down: null };
  /** KeyUpdate messages seen. Keys only. */
  keyUpdates = 0;
  /** What could not be read, in words; each is said once. */
  readonly notes: string[] = [];

  readonly #sink: TlsSink;
  /** Null without a key log. */
  readonly #records: SealedRecords | null;
  readonly #halves: Readonly<Record<Direction, Half>>;

  /**
   * @param keyLog null when no keys will ever come: then nothing is kept for them
   * @param memory shared by all connections of the capture
   */
  constructor(keyLog: KeyLog | null, sink: TlsSink, memory = new HeldMemory()) {
    this.#sink = sink;
    this.#halves = { up: this.#newHalf('up'), down: this.#newHalf('down') };
    this.#records =
      keyLog === null
        ? null
        : new SealedRecords(keyLog, this.handshake, memory, {
            onOpened: (direction, record, afterLoss, span) => {
              this.#onOpened(direction, record, afterLoss, span);
            },
            onNote: (note) => {
              if (!this.notes.includes(note)) this.notes.push(note);
            },
          });
  }

  /** False once the first bytes of either direction were no TLS. */
  get isTls(): boolean {
    return this.#halves.up.reader.isTls && this.#halves.down.reader.isTls;
  }

  /** True once a record was opened with the keys of the log. */
  get keyed(): boolean {
    return this.#records?.keyed ?? false;
  }

  onBytes(direction: Direction, bytes: Uint8Array, arrivedAtMs: number, deliveredAtMs: number): void {
    this.#halves[direction].reader.push(bytes, arrivedAtMs, deliveredAtMs);
  }

  onGap(direction: Direction, lengthBytes: number, atMs: number): void {
    this.#halves[direction].reader.gap(lengthBytes, atMs);
  }

  /** Opens what waited, if its keys have come. Call when keys were added. */
  flush(): void {
    this.#records?.flush();
  }

  /** No more bytes or keys will come: opens what can be opened and lets go of the rest. */
  finish(): void {
    this.#records?.finish();
  }

  #newHalf(direction: Direction): Half {
    const half: Half = {
      reader: new RecordReader({
        onRecord: (header, body, lengthBytes, span) => {
          this.#sink.onRecord(direction, header[0]!, lengthBytes, span);
          this.#onRecord(direction, half, header, body, span);
        },
        onLost: (lengthBytes, atMs) => {
          this.#onLost(direction, half, lengthBytes, atMs);
        },
      }),
      assembler: new HandshakeAssembler((type, body, span) => {
        this.handshake.onMessage(direction, type, body, span);
        this.#records?.onHandshake(direction, type);
        if (type === handshakeType.keyUpdate) this.keyUpdates += 1;
      }),
      sealed: false,
      lossy: false,
    };
    return half;
  }

  #onRecord(direction: Direction, half: Half, header: Uint8Array, body: Uint8Array | null, span: Span): void {
    const type = header[0]!;
    if (body === null) {
      half.lossy = true;
      half.assembler.reset();
    }
    if (type === contentType.changeCipherSpec) {
      // In TLS 1.3 it means nothing (RFC 8446 appendix D.4); before the ServerHello the version is not known.
      if (this.#isTls12()) this.#seal(direction, half);
    } else if (half.sealed || type === contentType.applicationData) {
      this.#noteFinished(direction, half, type, span);
      this.#records?.take(direction, { header, body, lostRecords: 1, span });
    } else if (type === contentType.handshake && body !== null) {
      half.assembler.push(body, span);
      // A handshake message may be what records of the other direction waited for.
      this.#records?.retry();
    }
  }

  #onLost(direction: Direction, half: Half, lengthBytes: number, atMs: number): void {
    half.lossy = true;
    half.assembler.reset();
    const lostRecords = Math.floor(lengthBytes / (recordHeaderBytes + leastSealedBytes)) + 1;
    const span = { firstAtMs: atMs, lastAtMs: atMs, deliveredAtMs: atMs };
    this.#records?.take(direction, { header: noHeader, body: null, lostRecords, span });
  }

  #isTls12(): boolean {
    const version = this.handshake.serverHello?.version;
    return version !== undefined && version < 0x0304;
  }

  #seal(direction: Direction, half: Half): void {
    half.sealed = true;
    half.assembler.reset();
    // A server that goes on without a Certificate resumes.
    if (direction === 'down' && !half.lossy) this.handshake.resumed ??= true;
  }

  /**
   * What tells a Finished without keys. TLS 1.2: it is the first sealed record. TLS 1.3: so is the client's,
   * when it sent no 0-RTT data.
   */
  #noteFinished(direction: Direction, half: Half, type: number, span: Span): void {
    const facts = this.handshake;
    if (half.sealed) {
      if (type !== contentType.handshake) return;
      if (direction === 'up') facts.clientFinishedAtMs ??= span.lastAtMs;
      else facts.serverFinishedAtMs ??= span.lastAtMs;
    } else if (direction === 'up' && facts.serverHelloAtMs !== null && facts.earlyDataOffered === false) {
      facts.clientFinishedAtMs ??= span.lastAtMs;
    }
  }

  #onOpened(direction: Direction, { type, text }: OpenedRecord, afterLoss: boolean, span: Span): void {
    const half = this.#halves[direction];
    if (afterLoss) this.#sink.onApplicationGap(direction, span.lastAtMs);
    if (type === contentType.applicationData) {
      if (direction === 'up') this.handshake.clientDataRead = true;
      this.#sink.onApplicationData(direction, text, span);
    } else if (type === contentType.handshake) {
      // TLS 1.2 says no more than its Finished here, which was seen by its place.
      if (!half.sealed) half.assembler.push(text, span);
    } else if (type === contentType.alert && text[1] === alert.closeNotify) {
      this.closeNotifyAtMs[direction] ??= span.lastAtMs;
    } else if (type === contentType.alert && text[1] === alert.echRequired && direction === 'up') {
      this.handshake.encryptedClientHelloRequired = true;
    }
  }
}
