import type { Random } from '../../../shared/stats/seeded-generator.ts';

/** One parser of the wire engine, to be given spoilt bytes. */
export interface FuzzedParser {
  readonly name: string;
  /** Bytes that it reads as they should be: what is spoilt. Never empty. */
  readonly samples: readonly Uint8Array[];
  /**
   * Has the parser read these bytes.
   *
   * @throws what the parser throws, which it never should, and when it made more of the bytes than there were
   */
  feed(bytes: Uint8Array, random: Random): void;
}

/** @throws when something that must hold of any input does not */
export function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`It must hold of any input: ${what}.`);
}

/** Hands over the bytes in pieces of random sizes. */
export function inPieces(
  bytes: Uint8Array,
  random: Random,
  mostBytes: number,
  take: (piece: Uint8Array, at: number) => void,
): void {
  for (let at = 0; at < bytes.length;) {
    const piece = bytes.subarray(at, at + 1 + Math.floor(random() * mostBytes));
    take(piece, at);
    at += piece.length;
  }
}
