import { latin1 } from '../latin1.ts';
import { decodeHuffman } from './huffman-code.ts';

/** Longest string read, bytes as sent. No table or server accepts near as much. */
const maxStringBytes = 65_536;

/** Continuation bytes of an integer: more than five would leave 2^35 behind. */
const maxContinuationBytes = 5;

/**
 * Reads the integers and strings that HPACK and QPACK are made of (RFC 7541 section 5, RFC 9204 section 4.1).
 *
 * After a {@link failure} every read gives 0 or '': a parser reads a whole instruction and asks once.
 */
export class FieldCursor {
  readonly bytes: Uint8Array;
  at = 0;
  /** `short`: the bytes end within the instruction; `malformed`: no further byte can mend it. */
  failure: 'short' | 'malformed' | null = null;
  /** When `short`: how many bytes `bytes` must have before it is worth another try. */
  neededBytes = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get atEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  failed(): boolean {
    return this.failure !== null;
  }

  /** The next byte, left in place; 0 at the end. */
  peek(): number {
    return this.bytes[this.at] ?? 0;
  }

  /** An integer whose first part is the low `prefixBits` bits of the next byte. */
  integer(prefixBits: number): number {
    const full = 2 ** prefixBits - 1;
    const prefix = this.#byte() & full;
    if (prefix < full) return prefix;
    let value = full;
    for (let i = 0; i < maxContinuationBytes; i += 1) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** (7 * i);
      if (byte < 0x80) return this.failure === null ? value : 0;
    }
    this.failure ??= 'malformed';
    return 0;
  }

  /** A string whose length has a prefix of `prefixBits` bits, the Huffman flag being the bit above it. */
  string(prefixBits: number): string {
    const huffman = ((this.peek() >>> prefixBits) & 1) === 1;
    const length = this.integer(prefixBits);
    if (length > maxStringBytes) this.failure ??= 'malformed';
    if (this.failure !== null) return '';
    const end = this.at + length;
    if (end > this.bytes.length) {
      this.#short(end);
      return '';
    }
    const raw = this.bytes.subarray(this.at, end);
    this.at = end;
    const text = huffman ? decodeHuffman(raw) : latin1(raw);
    if (text === null) this.failure = 'malformed';
    return text ?? '';
  }

  #byte(): number {
    if (this.failure !== null) return 0;
    if (this.atEnd) {
      this.#short(this.at + 1);
      return 0;
    }
    return this.bytes[this.at++]!;
  }

  #short(neededBytes: number): void {
    this.failure = 'short';
    this.neededBytes = neededBytes;
  }
}
