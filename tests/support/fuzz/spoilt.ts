import type { Random } from '../../../shared/stats/seeded-generator.ts';

/** A copy with bits flipped, bytes set to telling values, a piece cut out, doubled or moved, or its end missing. */
export function spoilt(bytes: Uint8Array, random: Random): Uint8Array {
  const copy = Uint8Array.from(bytes);
  switch (below(random, 5)) {
    case 0:
      return copy.subarray(0, below(random, copy.length + 1));
    case 1: {
      // Lengths that lie, mostly in headers.
      const at = below(random, Math.min(copy.length, 120));
      copy.set(
        [0x00, 0x01, 0x3f, 0x40, 0x7f, 0x80, 0xc0, 0xff].slice(below(random, 8)).slice(0, copy.length - at),
        at,
      );
      return copy;
    }
    case 2: {
      const from = below(random, copy.length);
      const to = below(random, copy.length);
      copy.copyWithin(to, from, from + below(random, 64));
      return copy;
    }
    case 3: {
      const from = below(random, copy.length);
      const tail = copy.subarray(from + below(random, 64));
      return Uint8Array.from([...copy.subarray(0, from), ...tail]);
    }
    default: {
      const flips = 1 + below(random, 8);
      for (let i = 0; i < flips; i += 1) {
        const at = below(random, copy.length);
        copy[at] = (copy[at] ?? 0) ^ (1 << below(random, 8));
      }
      return copy;
    }
  }
}

/** An integer from 0 to `limit` - 1. */
export function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}
