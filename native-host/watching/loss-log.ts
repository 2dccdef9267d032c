/** Stretches remembered; with the checks that add them ten seconds apart, they reach back an hour. */
const mostStretches = 360;

/** Stretches of time in which a capture lost packets; when exactly, it does not say. Times are ms since 1970. */
export class LossLog {
  #stretches: { readonly fromMs: number; readonly toMs: number }[] = [];
  #checkedAtMs: number;
  #lost = 0;

  /** @param atMs when the capture began */
  constructor(atMs: number) {
    this.#checkedAtMs = atMs;
  }

  /** The capture has just said how many packets it has lost in all; null when it does not tell, which may be some. */
  check(lost: number | null, atMs: number): void {
    if (lost === null || lost > this.#lost) this.add(this.#checkedAtMs, atMs);
    this.#lost = lost ?? this.#lost;
    this.#checkedAtMs = atMs;
  }

  add(fromMs: number, toMs: number): void {
    this.#stretches = [...this.#stretches, { fromMs, toMs }].slice(-mostStretches);
  }

  /** The capture begins anew, and so does its count. */
  restart(atMs: number): void {
    this.add(this.#checkedAtMs, atMs);
    this.#checkedAtMs = atMs;
    this.#lost = 0;
  }

  overlaps(fromMs: number, toMs: number): boolean {
    return this.#stretches.some((stretch) => stretch.fromMs <= toMs && stretch.toMs >= fromMs);
  }
}
