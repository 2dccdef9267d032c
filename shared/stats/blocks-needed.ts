/**
 * The fewest blocks with which a difference can be shown at all: in all of them the variant is the faster, which
 * chance does with probability 2^(1 - blocks), and Holm's first step multiplies that by the number of pairs.
 * At 95 %: 6 blocks for one pair, 7 for the three pairs of three arms, 8 for the six pairs of four.
 */
export function blocksNeeded(confidence: number, pairs: number): number {
  return Math.ceil(1 - Math.log2((1 - confidence) / pairs));
}
