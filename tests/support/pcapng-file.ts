import type { Frame } from './frames.ts';

export interface PcapngOptions {
  readonly linkType?: number;
  readonly bigEndian?: boolean;
  /** Written as a Decryption Secrets Block before the frames. */
  readonly keyLog?: string;
}

/**
 * A pcapng file of the frames (draft-ietf-opsawg-pcapng): one section, one interface with nanoseconds, an enhanced
 * packet block for each frame, and at the end the last frame once more as a simple packet block.
 */
export function pcapngFile(frames: readonly Frame[], options: PcapngOptions = {}): Buffer {
  const { linkType = 1, bigEndian = false, keyLog } = options;
  const words = (...values: number[]): Buffer => {
    const bytes = Buffer.alloc(4 * values.length);
    for (const [i, value] of values.entries()) {
      if (bigEndian) bytes.writeUInt32BE(value >>> 0, 4 * i);
      else bytes.writeUInt32LE(value >>> 0, 4 * i);
    }
    return bytes;
  };
  const halves = (high: number, low: number): Buffer =>
    words(bigEndian ? high * 0x10000 + low : low * 0x10000 + high);
  const block = (type: number, ...parts: readonly Uint8Array[]): Buffer => {
    const body = Buffer.concat(parts);
    const padding = Buffer.alloc(-body.length & 3);
    const total = words(12 + body.length + padding.length);
    return Buffer.concat([words(type), total, body, padding, total]);
  };
  const last = frames.at(-1);
  return Buffer.concat([
    block(0x0a0d0d0a, words(0x1a2b3c4d), halves(1, 0), words(0xffffffff, 0xffffffff)),
    // if_tsresol 9, then the end of options.
    block(1, halves(linkType, 0), words(0), halves(9, 1), Buffer.from([9, 0, 0, 0]), words(0)),
    ...(keyLog === undefined
      ? []
      : [block(0x0000000a, words(0x544c534b, Buffer.byteLength(keyLog)), Buffer.from(keyLog))]),
    ...frames.map(({ bytes, seconds, nanoseconds, originalBytes }) => {
      const ticks = BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds);
      const time = words(Number(ticks >> 32n), Number(ticks & 0xffffffffn));
      return block(6, words(0), time, words(bytes.length, originalBytes), bytes);
    }),
    ...(last === undefined ? [] : [block(3, words(last.originalBytes), last.bytes)]),
  ]);
}
