import { crc32, deflateSync } from 'node:zlib';

/** An image of 8-bit red, green and blue samples, row by row. */
export interface Picture {
  width: number;
  height: number;
  /** `width * height * 3` bytes. */
  samples: Uint8Array;
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
/** Length, type and checksum of a chunk. Source of all of this: W3C PNG, third edition, section 5. */
const chunkFrameBytes = 12;
/** Filter type 2, "Up": each sample less the one above it, which leaves almost nothing of a smooth picture. */
const filterUp = 2;
const paddingKeyword = 'Comment\0';

/**
 * A PNG file of exactly so many bytes, made up by a comment in an ancillary chunk, which decoders skip.
 * Random bytes under the name of an image would not do: browsers give up on them at the first packet.
 * @throws RangeError when the picture does not fit
 */
export function encodePng(picture: Picture, bytes: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(picture.width, 0);
  header.writeUInt32BE(picture.height, 4);
  // Eight bits a sample, colour type 2 (red, green, blue), the only compression, filter method and no interlace.
  header.set([8, 2, 0, 0, 0], 8);
  const head = Buffer.concat([signature, chunk('IHDR', header)]);
  const tail = Buffer.concat([
    chunk('IDAT', deflateSync(filtered(picture), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);

  const comment = bytes - head.length - tail.length - chunkFrameBytes - paddingKeyword.length;
  if (comment < 0) throw new RangeError(`This picture takes ${head.length + tail.length} of ${bytes} bytes.`);
  const padding = Buffer.from(paddingKeyword + 'Towline lab. '.repeat(comment / 13 + 1), 'latin1');
  return Buffer.concat([head, chunk('tEXt', padding.subarray(0, paddingKeyword.length + comment)), tail]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}

function filtered({ width, height, samples }: Picture): Buffer {
  const stride = width * 3;
  const rows = Buffer.alloc((stride + 1) * height);
  for (let row = 0; row < height; row++) {
    const start = row * (stride + 1);
    rows[start] = filterUp;
    for (let i = 0; i < stride; i++) {
      const above = row === 0 ? 0 : (samples[(row - 1) * stride + i] ?? 0);
      rows[start + 1 + i] = (samples[row * stride + i] ?? 0) - above;
    }
  }
  return rows;
}
