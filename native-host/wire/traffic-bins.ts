import type { Traffic } from '../../shared/record/wire.ts';
import { roundedMs } from './rounded-ms.ts';
import type { Direction } from './stream-sink.ts';

/** Enough to see slow start and a stall, few enough that a record of hundreds of loads stays small. */
const mostBins = 128;

interface Bin {
  bytesDown: number;
  bytesUp: number;
  packetsDown: number;
  packetsUp: number;
}

/**
 * Packets over time, counted as they come, in memory that does not grow: bins of 1 ms, made twice as wide
 * whenever there would be too many. They begin at whole multiples of their width since 1970, so those of
 * several flows fall on each other.
 */
export class TrafficBins {
  #binMs = 1;
  #first = Infinity;
  #last = -Infinity;
  #bins = new Map<number, Bin>();

  count(direction: Direction, ipBytes: number, atMs: number): void {
    const bin = this.#binAt(atMs);
    if (direction === 'up') {
      bin.bytesUp += ipBytes;
      bin.packetsUp += 1;
    } else {
      bin.bytesDown += ipBytes;
      bin.packetsDown += 1;
    }
  }

  /** Takes up what another flow's bins hold. */
  add(other: TrafficBins): void {
    while (this.#binMs < other.#binMs) this.#widen();
    for (const [index, bin] of other.#bins) addTo(this.#binAt(index * other.#binMs), bin);
  }

  /** As it stands in the record; null when nothing was counted. @param epochMs what its times count from */
  report(epochMs: number): Traffic | null {
    if (this.#bins.size === 0) return null;
    const length = this.#last - this.#first + 1;
    const series = (name: keyof Bin): number[] =>
      Array.from({ length }, (_, place) => this.#bins.get(this.#first + place)?.[name] ?? 0);
    return {
      binMs: this.#binMs,
      fromMs: roundedMs(this.#first * this.#binMs - epochMs),
      bytesDown: series('bytesDown'),
      bytesUp: series('bytesUp'),
      packetsDown: series('packetsDown'),
      packetsUp: series('packetsUp'),
    };
  }

  #binAt(atMs: number): Bin {
    let index = Math.floor(atMs / this.#binMs);
    while (Math.max(this.#last, index) - Math.min(this.#first, index) >= mostBins) {
      this.#widen();
      index = Math.floor(atMs / this.#binMs);
    }
    this.#first = Math.min(this.#first, index);
    this.#last = Math.max(this.#last, index);
    const known = this.#bins.get(index);
    if (known) return known;
    const made = { bytesDown: 0, bytesUp: 0, packetsDown: 0, packetsUp: 0 };
    this.#bins.set(index, made);
    return made;
  }

  #widen(): void {
    const narrow = this.#bins;
    this.#binMs *= 2;
    this.#first = Math.floor(this.#first / 2);
    this.#last = Math.floor(this.#last / 2);
    this.#bins = new Map();
    for (const [index, bin] of narrow) {
      const wide = Math.floor(index / 2);
      const known = this.#bins.get(wide);
      if (known) addTo(known, bin);
      else this.#bins.set(wide, bin);
    }
  }
}

function addTo(sum: Bin, bin: Bin): void {
  sum.bytesDown += bin.bytesDown;
  sum.bytesUp += bin.bytesUp;
  sum.packetsDown += bin.packetsDown;
  sum.packetsUp += bin.packetsUp;
}
