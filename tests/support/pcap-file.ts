import type { Frame } from './frames.ts';

/** A pcap file of the frames, with microseconds, little-endian (draft-ietf-opsawg-pcap). */
export function pcapFile(frames: readonly Frame[], linkType = 1): Buffer {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b2c3d4, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(262_144, 16);
  header.writeUInt32LE(linkType, 20);
  return Buffer.concat([header, ...frames.flatMap((frame) => [frameHeader(frame), frame.bytes])]);
}

function frameHeader({ bytes, seconds, nanoseconds, originalBytes }: Frame): Buffer {
  const header = Buffer.alloc(16);
  header.writeUInt32LE(seconds, 0);
  header.writeUInt32LE(Math.floor(nanoseconds / 1000), 4);
  header.writeUInt32LE(bytes.length, 8);
  header.writeUInt32LE(originalBytes, 12);
  return header;
}
