import { describe, expect, it } from 'vitest';
import { decodeHuffman, huffmanCodes } from '../../../../../../native-host/wire/http/fields/huffman-code.ts';

const codeOf = (symbol: number) => {
  const code = huffmanCodes.find((candidate) => candidate.symbol === symbol);
  return code?.bits.toString(2).padStart(code.length, '0') ?? '';
};

/** Packs codes as an encoder does: padded with ones. */
function encode(text: string): Uint8Array {
  const bits = Array.from(Buffer.from(text, 'latin1'), codeOf).join('');
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1');
  return Uint8Array.from(padded.match(/.{8}/g) ?? [], (octet) => Number.parseInt(octet, 2));
}

describe('Huffman code', () => {
  it.each([
    // RFC 7541 appendix B, one of each length.
    [48, '00000'],
    [32, '010100'],
    [58, '1011100'],
    [38, '11111000'],
    [33, '1111111000'],
    [39, '11111111010'],
    [35, '111111111010'],
    [0, '1111111111000'],
    [94, '11111111111100'],
    [60, '111111111111100'],
    [92, '1111111111111110000'],
    [128, '11111111111111100110'],
    [153, '111111111111111011100'],
    [129, '1111111111111111010010'],
    [1, '11111111111111111011000'],
    [9, '111111111111111111101010'],
    [199, '1111111111111111111101100'],
    [255, '11111111111111111111101110'],
    [254, '111111111111111111111110000'],
    [249, '1111111111111111111111111110'],
    [22, '111111111111111111111111111110'],
    [256, '111111111111111111111111111111'],
  ])('gives symbol %i the code of the RFC', (symbol, code) => {
    expect(codeOf(symbol)).toBe(code);
  });

  it('has 257 codes that fill the code space exactly', () => {
    expect(huffmanCodes).toHaveLength(257);
    expect(huffmanCodes.reduce((sum, { length }) => sum + 2 ** (30 - length), 0)).toBe(2 ** 30);
  });

  it('reads back every octet', () => {
    const all = String.fromCharCode(...Array.from({ length: 256 }, (_, octet) => octet));
    expect(decodeHuffman(encode(all))).toBe(all);
  });

  it('takes nothing as the empty string', () => {
    expect(decodeHuffman(new Uint8Array(0))).toBe('');
  });

  it.each([
    ['a whole byte of padding', [0b00000_111, 0xff]],
    ['padding that is not all ones', [0b00000_110]],
    ['an end-of-string symbol', [0xff, 0xff, 0xff, 0xff]],
  ])('refuses %s', (_, bytes) => {
    expect(decodeHuffman(Uint8Array.from(bytes))).toBeNull();
  });
});
