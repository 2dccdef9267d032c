/** Most connection IDs of one side that are remembered; browsers and servers use fewer than ten. */
const maxRemembered = 256;

/**
 * The connection IDs one endpoint has chosen. Its peer's short headers begin with one of them, and nothing in
 * them says how long it is.
 */
export class ConnectionIds {
  readonly #hex = new Set<string>();
  #lengths: readonly number[] = [];

  /** Lower-case hexadecimal, in the order they were seen. */
  get all(): readonly string[] {
    return [...this.#hex];
  }

  /** Every length among them, the likeliest first. */
  get lengths(): readonly number[] {
    return this.#lengths;
  }

  add(connectionId: Uint8Array): void {
    if (this.#hex.size >= maxRemembered) return;
    this.#hex.add(Buffer.from(connectionId).toString('hex'));
    if (!this.#lengths.includes(connectionId.length)) this.#lengths = [...this.#lengths, connectionId.length];
  }

  /** A packet with an ID of this length was just opened: try it first from now on. */
  prefer(length: number): void {
    if (this.#lengths[0] === length) return;
    this.#lengths = [length, ...this.#lengths.filter((other) => other !== length)];
  }

  /** Whether the bytes from `at` begin with one of them that is not empty. */
  begin(bytes: Uint8Array, at: number): boolean {
    return this.#lengths.some(
      (length) =>
        length > 0 &&
        at + length <= bytes.length &&
        this.#hex.has(Buffer.from(bytes.subarray(at, at + length)).toString('hex')),
    );
  }
}
