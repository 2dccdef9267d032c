import { type HeldMemory, pieceOverheadBytes } from '../held-memory.ts';
import { findInnerHello } from '../keys/inner-hello.ts';
import type { KeyLog } from '../keys/key-log.ts';
import type { Direction, Span } from '../stream-sink.ts';
import { ConnectionKeys } from './connection-keys.ts';
import { handshakeType } from './handshake-assembler.ts';
import type { HandshakeFacts } from './handshake-facts.ts';
import type { KeyTrack } from './key-track.ts';
import type { OpenedRecord } from './record-opener.ts';
import { recordHeaderBytes } from './record-reader.ts';

/** Records kept per connection, overhead included, while their keys, or the message that names them, are awaited. */
const maxWaitingBytes = 2 ** 20;

/** After so many records in a row that no key opens, the keys are not this connection's. */
const maxFailures = 32;

/** An encrypted record, or a place where some were lost. */
export interface SealedRecord {
  readonly header: Uint8Array;
  /** Null where the record, or `lostRecords` of them, are not in the capture. */
  readonly body: Uint8Array | null;
  /** How many may be missing at most. */
  readonly lostRecords: number;
  readonly span: Span;
}

function keptBytes({ body }: SealedRecord): number {
  return pieceOverheadBytes + recordHeaderBytes + (body?.length ?? 0);
}

/** Takes what {@link SealedRecords} opens, in the order of its direction. */
export interface OpenedRecordListener {
  /** @param afterLoss application records before this one are missing */
  onOpened(direction: Direction, record: OpenedRecord, afterLoss: boolean, span: Span): void;
  /** Something could not be read. */
  onNote(note: string): void;
}

/** One direction. */
interface Lane {
  track: KeyTrack | null;
  waiting: SealedRecord[];
  failures: number;
}

/** One connection's encrypted records: opened at once, or kept until their keys are known. */
export class SealedRecords {
  /** True once one was opened. */
  keyed = false;

  readonly #keyLog: KeyLog;
  readonly #keys: ConnectionKeys;
  readonly #facts: HandshakeFacts;
  readonly #memory: HeldMemory;
  readonly #listener: OpenedRecordListener;
  readonly #lanes: Readonly<Record<Direction, Lane>> = {
    up: { track: null, waiting: [], failures: 0 },
    down: { track: null, waiting: [], failures: 0 },
  };
  #waitingBytes = 0;
  #keyRevision = -1;
  #closed = false;

  constructor(keyLog: KeyLog, facts: HandshakeFacts, memory: HeldMemory, listener: OpenedRecordListener) {
    this.#keyLog = keyLog;
    this.#keys = new ConnectionKeys(keyLog, facts);
    this.#facts = facts;
    this.#memory = memory;
    this.#listener = listener;
  }

  /** Opens a record at once, or keeps a copy of it until that is possible. */
  take(direction: Direction, record: SealedRecord): void {
    if (this.#closed) return;
    const lane = this.#lanes[direction];
    if (lane.waiting.length > 0 || !this.#open(direction, lane, record)) {
      this.#keep(lane, record);
      this.flush();
    } else if (this.#waitingBytes > 0) {
      // What was just opened may be the message that records of the other direction waited for.
      this.retry();
    }
  }

  /** A message of the handshake changes the key of what its sender seals next. */
  onHandshake(direction: Direction, type: number): void {
    const { track } = this.#lanes[direction];
    if (type === handshakeType.finished || type === handshakeType.endOfEarlyData) track?.advance();
    else if (type === handshakeType.keyUpdate) track?.update();
  }

  /** Opens what waited, if keys have come since. */
  flush(): void {
    if (this.#keyLog.revision !== this.#keyRevision) this.retry();
  }

  /** Opens what waited, if it can be: the handshake went on. */
  retry(): void {
    if (this.#closed) return;
    let opened = true;
    while (opened) {
      this.#keyRevision = this.#keyLog.revision;
      opened = this.#retryLane('down') || this.#retryLane('up');
    }
  }

  /** No more records or keys will come. */
  finish(): void {
    this.retry();
    if (this.#waitingBytes > 0) this.#close(this.#keys.missing);
    this.#closed = true;
  }

  #retryLane(direction: Direction): boolean {
    const lane = this.#lanes[direction];
    const { waiting } = lane;
    let done = 0;
    while (!this.#closed && done < waiting.length && this.#open(direction, lane, waiting[done]!)) done += 1;
    if (this.#closed) return false;
    for (const opened of waiting.splice(0, done)) this.#hold(-keptBytes(opened));
    return done > 0;
  }

  /** @returns false when it has to wait, for keys or for a message of the handshake */
  #open(direction: Direction, lane: Lane, { header, body, lostRecords, span }: SealedRecord): boolean {
    if (lane.track === null && direction === 'down' && body !== null) {
      findInnerHello(this.#keyLog, this.#facts, (secret) => this.#keys.opensFirst(secret, header, body));
    }
    lane.track ??= this.#keys.track(direction);
    const { track } = lane;
    if (track === null) return false;
    if (body === null) {
      track.lose(lostRecords);
      this.#listener.onNote('Bytes of this connection are missing from the capture.');
      return true;
    }
    const opened = track.open(header, body);
    if (opened === 'no-key') return false;
    if (opened === null) {
      lane.failures += 1;
      if (lane.failures >= maxFailures) {
        this.#close('Records do not open with the keys that the key log has for this connection.');
      }
      return true;
    }
    lane.failures = 0;
    this.keyed = true;
    this.#listener.onOpened(direction, opened, track.skipped > 0 && track.stage === 'application', span);
    return true;
  }

  #keep(lane: Lane, record: SealedRecord): void {
    this.#hold(keptBytes(record));
    const { unsupported, willNotCome, missing } = this.#keys;
    // Without its ClientHello nothing tells which of the log's keys are this connection's.
    const hopeless = willNotCome || (record.body !== null && this.#facts.clientRandom === null);
    const tooMuch = this.#waitingBytes > maxWaitingBytes || this.#memory.isFull;
    if (unsupported !== null || hopeless || tooMuch) {
      this.#close(unsupported ?? missing);
      return;
    }
    lane.waiting.push({
      ...record,
      header: Uint8Array.from(record.header),
      body: record.body === null ? null : Uint8Array.from(record.body),
    });
  }

  #hold(bytes: number): void {
    this.#waitingBytes += bytes;
    this.#memory.take(bytes);
  }

  #close(note: string): void {
    this.#listener.onNote(note);
    this.#closed = true;
    this.#hold(-this.#waitingBytes);
    this.#lanes.up.waiting = [];
    this.#lanes.down.waiting = [];
  }
}
