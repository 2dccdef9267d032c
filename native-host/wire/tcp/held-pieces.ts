import { pieceOverheadBytes, type HeldMemory } from '../held-memory.ts';

/**
 * Held behind holes, pieces' overhead included, before the oldest hole is given up: more than any receive window
 * seen on the web.
 */
const maxHeldBytes = 16 * 1024 * 1024;
/** Every segment out of line is compared with these, so their number bounds the time as well. */
const maxHeldPieces = 8192;

/** Sequence numbers of the first byte and after the last. */
export interface SequenceRange {
  readonly start: number;
  readonly end: number;
}

export interface HeldPiece extends SequenceRange {
  /** What was captured of it; null when nobody reads this stream. */
  readonly bytes: Uint8Array | null;
  readonly arrivedAtMs: number;
}

/**
 * What came after a hole of a TCP stream, by sequence number; never overlapping. Memory: at most 16 MiB or 8,192
 * pieces, and less when the capture's {@link HeldMemory} is full, if its owner minds {@link piecesTooMany}.
 */
export class HeldPieces {
  readonly #memory: HeldMemory;
  #pieces: HeldPiece[] = [];
  #bytes = 0;

  /** @param memory shared by all connections of the capture */
  constructor(memory: HeldMemory) {
    this.#memory = memory;
  }

  get count(): number {
    return this.#pieces.length;
  }

  /** The piece of that place in the order of sequence numbers; undefined behind the last. */
  at(index: number): HeldPiece | undefined {
    return this.#pieces[index];
  }

  /** How many must go for the rest to be within bounds; several at once, since each time costs as much as there are. */
  get piecesTooMany(): number {
    if (this.count > maxHeldPieces) return this.count - maxHeldPieces / 2;
    return this.#bytes > maxHeldBytes || this.#memory.isFull ? 1 : 0;
  }

  /** Those parts of a segment that are neither before `next` nor held, in order. */
  freshParts(next: number, { start, end }: SequenceRange): SequenceRange[] {
    const newest = this.#pieces.at(-1);
    // What is behind everything held, as most of it is, need not be compared with each piece.
    if (newest !== undefined && ((start - newest.end) | 0) >= 0) return [{ start, end }];
    const parts: SequenceRange[] = [];
    let from = ((start - next) | 0) < 0 ? next : start;
    for (const piece of this.#pieces) {
      if (((end - piece.start) | 0) <= 0) break;
      if (((piece.start - from) | 0) > 0) parts.push({ start: from, end: piece.start });
      if (((piece.end - from) | 0) > 0) from = piece.end;
    }
    if (((end - from) | 0) > 0) parts.push({ start: from, end });
    return parts;
  }

  /** When the first of those pieces arrived that begin at or behind `sequence`; Infinity when there are none. */
  firstArrivalFrom(sequence: number): number {
    let firstAtMs = Infinity;
    for (const piece of this.#pieces) {
      if (((piece.start - sequence) | 0) >= 0) firstAtMs = Math.min(firstAtMs, piece.arrivedAtMs);
    }
    return firstAtMs;
  }

  /** @param piece whose bytes nobody else holds or changes, and of which nothing is held yet */
  add(piece: HeldPiece): void {
    let index = this.#pieces.length;
    while (index > 0 && ((piece.start - this.#pieces[index - 1]!.start) | 0) < 0) index -= 1;
    const before = this.#pieces[index - 1];
    if (piece.bytes === null && before?.end === piece.start && before.bytes === null) {
      // Nobody reads these bytes: one range says as much as two.
      this.#pieces[index - 1] = { ...before, end: piece.end };
      return;
    }
    this.#pieces.splice(index, 0, piece);
    this.#bytes += costOf(piece);
    this.#memory.take(costOf(piece));
  }

  /** Lets go of the first `count`. */
  drop(count: number): void {
    for (const piece of this.#pieces.splice(0, count)) {
      this.#bytes -= costOf(piece);
      this.#memory.giveBack(costOf(piece));
    }
  }
}

function costOf({ bytes }: HeldPiece): number {
  return pieceOverheadBytes + (bytes?.length ?? 0);
}
