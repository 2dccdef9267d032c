import { seededGenerator, type Random } from '../../../../shared/stats/seeded-generator.ts';

/** Bytes and damage that look random and are the same in every run. */
export class SeededRandom {
  readonly #next: Random;

  constructor(seed: number) {
    this.#next = seededGenerator(seed);
  }

  /** An integer from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256));
  }

  /** A copy of `bytes` with some flipped, cut off, doubled, or made to lie about what follows. */
  damage(bytes: Uint8Array): Uint8Array {
    const damaged = Uint8Array.from(bytes);
    const at = this.below(damaged.length + 1);
    switch (this.below(5)) {
      case 0:
        for (let flips = this.below(8); flips >= 0; flips -= 1) {
          damaged.set([this.below(256)], this.below(damaged.length));
        }
        return damaged;
      case 1:
        return damaged.subarray(0, at);
      case 2:
        return damaged.subarray(at);
      case 3:
        return Uint8Array.from([...damaged.subarray(0, at), ...damaged.subarray(Math.floor(at / 2))]);
      default:
        damaged.fill(0xff, at, at + 1 + this.below(4));
        return damaged;
    }
  }
}
