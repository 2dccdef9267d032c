/** The times of a capture's frames, in the order of the capture, and what is odd about them. */
export class CaptureClock {
  /** Of the latest frame, ms since 1970; minus infinity before the first. */
  lastAtMs = Number.NEGATIVE_INFINITY;

  #backInTime = 0;
  #withoutTime = 0;

  /**
   * @param seconds since 1970
   * @param nanoseconds of that second
   * @returns ms since 1970, in a double: a quarter of a microsecond is lost
   */
  read(seconds: number, nanoseconds: number): number {
    const atMs = seconds * 1000 + nanoseconds / 1e6;
    if (atMs < this.lastAtMs) this.#backInTime += 1;
    else this.lastAtMs = atMs;
    if (seconds === 0) this.#withoutTime += 1;
    return atMs;
  }

  /** In words; empty when nothing is odd. */
  get notes(): string[] {
    const notes: string[] = [];
    if (this.#backInTime > 0) {
      notes.push(`${this.#backInTime} packets are earlier in time than one captured before them.`);
    }
    if (this.#withoutTime > 0) notes.push(`${this.#withoutTime} packets have no time.`);
    return notes;
  }
}
