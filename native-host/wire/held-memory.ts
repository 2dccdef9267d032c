/** What keeping track of a held piece costs besides its bytes: objects, buffers, list entries. */
export const pieceOverheadBytes = 256;

/** Of one capture: far more than the losses and late keys of a page load make anybody hold. */
const usualLimitBytes = 64 * 1024 * 1024;

/**
 * What all connections of a capture together hold back, until bytes before it or its keys have come. Each of
 * them has a bound of its own; this one keeps many connections, or a hostile capture, from adding them up.
 */
export class HeldMemory {
  readonly #limitBytes: number;
  #bytes = 0;

  constructor(limitBytes = usualLimitBytes) {
    this.#limitBytes = limitBytes;
  }

  /** Bytes held at present, {@link pieceOverheadBytes} of each piece included. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whoever wants to hold more has to let something go first. */
  get isFull(): boolean {
    return this.#bytes > this.#limitBytes;
  }

  take(bytes: number): void {
    this.#bytes += bytes;
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes;
  }
}
