const nothing = new Uint8Array(0);

/**
 * Reads forward through bytes that may lie about their lengths. Reading past the end gives zeros or nothing
 * and sets {@link failed}: a parser reads a whole structure and asks once whether it was there.
 */
export class ByteCursor {
  readonly bytes: Uint8Array;
  at: number;
  readonly end: number;
  /** True once more was asked than there is; it stays so, and `at` is then `end`. */
  failed = false;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = start;
    this.end = end;
  }

  get left(): number {
    return this.end - this.at;
  }

  u8(): number {
    return this.#uint(1);
  }

  u16(): number {
    return this.#uint(2);
  }

  u24(): number {
    return this.#uint(3);
  }

  u32(): number {
    return this.#uint(4);
  }

  /** A QUIC variable-length integer, RFC 9000 section 16. Above 2^53 it is no longer exact. */
  varint(): number {
    const first = this.u8();
    const low = first & 0x3f;
    switch (first >> 6) {
      case 0:
        return low;
      case 1:
        return low * 0x100 + this.u8();
      case 2:
        return low * 0x1000000 + this.u24();
      default:
        return low * 2 ** 56 + this.u24() * 2 ** 32 + this.u32();
    }
  }

  /** The next `count` bytes as a view, or none. */
  take(count: number): Uint8Array {
    if (!this.#has(count)) return nothing;
    const taken = this.bytes.subarray(this.at, this.at + count);
    this.at += count;
    return taken;
  }

  skip(count: number): void {
    if (this.#has(count)) this.at += count;
  }

  /** A cursor over the next `count` bytes; over none when they are not all there. */
  part(count: number): ByteCursor {
    const start = this.at;
    this.skip(count);
    return new ByteCursor(this.bytes, start, this.failed ? start : this.at);
  }

  #uint(size: 1 | 2 | 3 | 4): number {
    if (!this.#has(size)) return 0;
    let value = 0;
    for (let i = 0; i < size; i += 1) value = value * 0x100 + this.bytes[this.at++]!;
    return value;
  }

  #has(count: number): boolean {
    if (count >= 0 && count <= this.end - this.at) return true;
    this.failed = true;
    this.at = this.end;
    return false;
  }
}
