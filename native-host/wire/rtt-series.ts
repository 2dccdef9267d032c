/** Samples kept; beyond it every second one is dropped and only every second new one taken, and so on. */
const maxKept = 512;

/** Minimum, median and maximum of a series of round-trip times, ms. */
export interface RttSummary {
  readonly samples: number;
  readonly minMs: number;
  readonly medianMs: number;
  readonly maxMs: number;
}

/**
 * Minimum, median and maximum of a series of round-trip times, in bounded memory. Minimum and maximum are
 * exact; the median is that of an even selection once there are more than 512 samples.
 */
export class RttSeries {
  #samples = 0;
  #minMs = Number.POSITIVE_INFINITY;
  #maxMs = Number.NEGATIVE_INFINITY;
  #kept: number[] = [];
  #stride = 1;

  add(rttMs: number): void {
    if (rttMs < this.#minMs) this.#minMs = rttMs;
    if (rttMs > this.#maxMs) this.#maxMs = rttMs;
    if (this.#samples % this.#stride === 0) this.#kept.push(rttMs);
    this.#samples += 1;
    if (this.#kept.length >= maxKept) {
      this.#kept = this.#kept.filter((_, i) => i % 2 === 0);
      this.#stride *= 2;
    }
  }

  /** Null without a sample. */
  summary(): RttSummary | null {
    const sorted = this.#kept.toSorted((a, b) => a - b);
    const upper = sorted[Math.floor(sorted.length / 2)];
    const lower = sorted[Math.floor((sorted.length - 1) / 2)];
    if (upper === undefined || lower === undefined) return null;
    return {
      samples: this.#samples,
      minMs: this.#minMs,
      medianMs: (lower + upper) / 2,
      maxMs: this.#maxMs,
    };
  }
}
