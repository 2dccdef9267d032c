import { pieceOverheadBytes } from '../held-memory.ts';
import type { Span } from '../stream-sink.ts';

/** Takes the bytes of a stream in order; `bytes` may be empty when only `fin` is new. */
export type StreamListener = (offset: number, bytes: Uint8Array, fin: boolean, span: Span) => void;

/** A stretch that came before its turn. */
interface Piece {
  readonly offset: number;
  readonly bytes: Uint8Array;
  readonly arrivedAtMs: number;
}

/** Most stretches held back at once on one stream. */
const maxPieces = 2 ** 14;

/**
 * Puts one direction of a QUIC stream, or the CRYPTO data of one level, in order. Bytes that come again are
 * left out: their first arrival counts. What it holds, it copies: a view would keep a whole packet for one byte.
 */
export class StreamAssembler {
  /** Held back behind holes: bytes, and the overhead of each piece. */
  heldBytes = 0;
  /** True once everything up to the sender's FIN was delivered. */
  done = false;

  readonly #listener: StreamListener;
  /** By offset, none overlapping another. */
  readonly #held: Piece[] = [];
  #next = 0;
  #finalSize = Infinity;

  constructor(listener: StreamListener) {
    this.#listener = listener;
  }

  add(offset: number, bytes: Uint8Array, fin: boolean, arrivedAtMs: number): void {
    if (this.done) return;
    if (fin) this.#finalSize = Math.min(this.#finalSize, Math.max(this.#next, offset + bytes.length));
    if (this.#held.length === 0 && offset <= this.#next) {
      this.#deliver(this.#next, bytes.subarray(this.#next - offset), arrivedAtMs, arrivedAtMs);
      return;
    }
    this.#hold(offset, bytes, arrivedAtMs);
    this.#release(arrivedAtMs);
  }

  /** Delivers what is held though bytes before it are missing: they will not come. The offsets tell. */
  giveUp(atMs: number): void {
    const first = this.#held[0];
    if (first !== undefined) {
      this.#next = first.offset;
      this.#release(atMs);
    }
  }

  /** Where the next byte to be delivered stands in the stream. */
  get nextOffset(): number {
    return this.#next;
  }

  get hasHoles(): boolean {
    return this.#held.length > 0;
  }

  #release(atMs: number): void {
    let released = 0;
    for (const piece of this.#held) {
      if (piece.offset > this.#next) break;
      released += 1;
      this.heldBytes -= pieceOverheadBytes + piece.bytes.length;
      this.#deliver(piece.offset, piece.bytes, piece.arrivedAtMs, Math.max(piece.arrivedAtMs, atMs));
    }
    this.#held.splice(0, released);
    if (this.#held.length === 0 && this.#next >= this.#finalSize) {
      this.#deliver(this.#next, noBytes, atMs, atMs);
    }
  }

  #deliver(offset: number, bytes: Uint8Array, arrivedAtMs: number, deliveredAtMs: number): void {
    if (this.done) return;
    this.#next = offset + bytes.length;
    this.done = this.#next >= this.#finalSize;
    if (bytes.length === 0 && !this.done) return;
    this.#listener(offset, bytes, this.done, {
      firstAtMs: arrivedAtMs,
      lastAtMs: arrivedAtMs,
      deliveredAtMs,
    });
  }

  /** Keeps what of a stretch is new: it may overlap what was delivered and any number of held ones. */
  #hold(offset: number, bytes: Uint8Array, arrivedAtMs: number): void {
    const end = offset + bytes.length;
    let at = Math.max(offset, this.#next);
    let index = this.#indexAfter(at);
    const before = this.#held[index - 1];
    if (before !== undefined) at = Math.max(at, before.offset + before.bytes.length);
    while (at < end && this.#held.length < maxPieces) {
      const following = this.#held[index];
      const stop = Math.min(end, following?.offset ?? end);
      if (stop > at) {
        // Not slice: a Buffer's is a view, and what it shows is overwritten by the next packets.
        const copy = Uint8Array.from(bytes.subarray(at - offset, stop - offset));
        const piece = { offset: at, bytes: copy, arrivedAtMs };
        this.#held.splice(index, 0, piece);
        this.heldBytes += pieceOverheadBytes + piece.bytes.length;
        index += 1;
      }
      at = following === undefined ? end : following.offset + following.bytes.length;
      index += 1;
    }
  }

  /** Index of the first held piece that begins after `offset`. */
  #indexAfter(offset: number): number {
    let low = 0;
    let high = this.#held.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#held[middle]!.offset <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const noBytes = new Uint8Array(0);
