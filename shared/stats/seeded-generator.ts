/** A source of numbers uniform in the open interval (0, 1), never 0 and never 1. */
export type Random = () => number;

/**
 * Random numbers that are the same wherever the seed is the same: xoshiro128** 1.1 (Blackman and Vigna,
 * "Scrambled linear pseudorandom number generators", 2021), its state filled by SplitMix64 as they advise.
 * 32 bits each, period 2^128 - 1. Not for secrets.
 *
 * @param seed integer from 0 to 2^53 - 1
 */
export function seededGenerator(seed: number): Random {
  const nextSeed = splitMix64(BigInt(seed));
  const [first, second] = [nextSeed(), nextSeed()];
  const next = xoshiro128StarStar([
    Number(first & 0xffff_ffffn),
    Number(first >> 32n),
    Number(second & 0xffff_ffffn),
    Number(second >> 32n),
  ]);
  return () => (next() + 0.5) / 2 ** 32;
}

/** The generator itself: 32-bit unsigned integers from four words of state that are not all 0. */
export function xoshiro128StarStar(state: readonly [number, number, number, number]): () => number {
  let [a, b, c, d] = state;
  return () => {
    const five = Math.imul(b, 5);
    const result = Math.imul((five << 7) | (five >>> 25), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result;
  };
}

/** 64-bit unsigned integers from any seed (Steele, Lea and Flood, "Fast splittable generators", 2014). */
export function splitMix64(seed: bigint): () => bigint {
  let state = seed;
  return () => {
    state = BigInt.asUintN(64, state + 0x9e37_79b9_7f4a_7c15n);
    let mixed = state;
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 30n)) * 0xbf58_476d_1ce4_e5b9n);
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d0_49bb_1331_11ebn);
    return mixed ^ (mixed >> 31n);
  };
}
