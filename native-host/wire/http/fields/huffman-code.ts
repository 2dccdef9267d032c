import { latin1 } from '../latin1.ts';

/**
 * Length in bits of the code of each octet, and of the end-of-string symbol (256): RFC 7541 appendix B. The code
 * is canonical (codes of one length ascend with their symbols), so the lengths are the whole of it.
 */
// prettier-ignore
const codeLengths = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
  28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
   6, 10, 10, 12, 13,  6,  8, 11, 10, 10,  8, 11,  8,  6,  6,  6,
   5,  5,  5,  6,  6,  6,  6,  6,  6,  6,  7,  8, 15,  6, 12, 10,
  13,  6,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,
   7,  7,  7,  7,  7,  7,  7,  7,  8,  7,  8, 13, 19, 13, 14,  6,
  15,  5,  6,  5,  6,  5,  6,  6,  6,  5,  7,  7,  6,  6,  6,  5,
   6,  7,  6,  5,  5,  6,  7,  7,  7,  7,  7, 15, 11, 14, 13, 28,
  20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
  24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
  22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
  21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
  26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
  19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
  20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
  26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
  30,
];

const endOfString = 256;

/** One symbol's code: the low `length` bits of `bits`. */
export interface HuffmanCode {
  readonly symbol: number;
  readonly bits: number;
  readonly length: number;
}

/** The 257 codes, in canonical order: shortest first, symbols ascending within a length. */
export const huffmanCodes: readonly HuffmanCode[] = assignCodes();

function assignCodes(): HuffmanCode[] {
  const codes: HuffmanCode[] = [];
  let next = 0;
  for (let length = 5; length <= 30; length += 1) {
    codeLengths.forEach((symbolLength, symbol) => {
      if (symbolLength === length) codes.push({ symbol, bits: next++, length });
    });
    next *= 2;
  }
  return codes;
}

/**
 * The codes as a binary tree: `tree[2 * node + bit]` is the next node, or `-1 - symbol` at a leaf. The code is
 * complete, so no branch is missing.
 */
const tree = growTree();

function growTree(): Int32Array {
  const grown = new Int32Array(2 * endOfString);
  let nodes = 1;
  for (const { symbol, bits, length } of huffmanCodes) {
    let node = 0;
    for (let shift = length - 1; shift > 0; shift -= 1) {
      const branch = 2 * node + ((bits >>> shift) & 1);
      grown[branch] ||= nodes++;
      node = grown[branch]!;
    }
    grown[2 * node + (bits & 1)] = -1 - symbol;
  }
  return grown;
}

/**
 * The text that Huffman-coded bytes stand for, one character per octet, or null when they are no such code:
 * padding of a byte or more, padding that is not all ones, or an end-of-string symbol (RFC 7541 section 5.2).
 */
export function decodeHuffman(bytes: Uint8Array): string | null {
  // The shortest code has 5 bits.
  const decoded = Buffer.allocUnsafe(Math.floor((bytes.length * 8) / 5));
  let length = 0;
  let node = 0;
  let pendingBits = 0;
  let pendingAreOnes = true;
  for (const byte of bytes) {
    for (let shift = 7; shift >= 0; shift -= 1) {
      const bit = (byte >>> shift) & 1;
      const next = tree[2 * node + bit]!;
      if (next >= 0) {
        node = next;
        pendingBits += 1;
        pendingAreOnes &&= bit === 1;
        continue;
      }
      const symbol = -1 - next;
      if (symbol === endOfString) return null;
      decoded[length++] = symbol;
      node = 0;
      pendingBits = 0;
      pendingAreOnes = true;
    }
  }
  return pendingBits < 8 && pendingAreOnes ? latin1(decoded.subarray(0, length)) : null;
}
