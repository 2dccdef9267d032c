import type { Direction } from '../stream-sink.ts';

/** What is remembered of a TLS record or of a QUIC packet: that it passed, when, and how long it was. */
export interface WireEvent {
  /** Which connection. */
  readonly connectionId: number;
  /** TLS: the record's content type (RFC 8446 section 5.1). QUIC: one of {@link quicEvent}. */
  readonly kind: number;
  readonly direction: Direction;
  readonly lengthBytes: number;
  /** Ms since 1970. */
  readonly atMs: number;
}

/** Kinds of events of a QUIC connection. */
export const quicEvent = { datagram: 1, short: 2, zeroRtt: 3 } as const;

/** Holds 50 s of a download at 100 Mbit/s over QUIC, or a day of reading; 8 MiB. */
const usualCapacity = 2 ** 19;

/** 24 bits of length, 7 of kind, 1 of direction. */
const longestBytes = 2 ** 24 - 1;
const kindUnit = 2 ** 24;
const upUnit = 2 ** 31;

/**
 * The last events of all connections, in the order of the capture, in memory that does not grow: the newest takes the
 * place of the oldest. Nothing of what was sent is in it.
 */
export class EventLog {
  readonly #capacity: number;
  readonly #times: Float64Array;
  readonly #connections: Uint32Array;
  /** Direction, kind and length of each. */
  readonly #codes: Uint32Array;
  #appended = 0;
  #forgottenUntilMs = Number.NEGATIVE_INFINITY;

  constructor(capacity = usualCapacity) {
    this.#capacity = capacity;
    this.#times = new Float64Array(capacity);
    this.#connections = new Uint32Array(capacity);
    this.#codes = new Uint32Array(capacity);
  }

  /** Time of the latest event that had to make room, ms since 1970; minus infinity while none had. */
  get forgottenUntilMs(): number {
    return this.#forgottenUntilMs;
  }

  append({ connectionId, kind, direction, lengthBytes, atMs }: WireEvent): void {
    const at = this.#appended % this.#capacity;
    if (this.#appended >= this.#capacity) {
      this.#forgottenUntilMs = Math.max(this.#forgottenUntilMs, this.#times[at]!);
    }
    this.#times[at] = atMs;
    this.#connections[at] = connectionId;
    this.#codes[at] =
      (direction === 'up' ? upUnit : 0) + kind * kindUnit + Math.min(lengthBytes, longestBytes);
    this.#appended += 1;
  }

  /** Tells the events of some connections again, in their order. */
  replay(isWanted: (connectionId: number) => boolean, onEvent: (event: WireEvent) => void): void {
    for (let i = Math.max(0, this.#appended - this.#capacity); i < this.#appended; i += 1) {
      const at = i % this.#capacity;
      const connectionId = this.#connections[at]!;
      if (!isWanted(connectionId)) continue;
      const code = this.#codes[at]!;
      onEvent({
        connectionId,
        kind: Math.floor(code / kindUnit) & 0x7f,
        direction: code >= upUnit ? 'up' : 'down',
        lengthBytes: code % kindUnit,
        atMs: this.#times[at]!,
      });
    }
  }
}
