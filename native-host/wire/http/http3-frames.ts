import { ByteCursor } from '../tls/byte-cursor.ts';
import type { FrameHead } from './frame-reader.ts';

/** RFC 9114 section 7.2; the others, reserved ones included, carry nothing of a request or response. */
export const http3FrameType = { data: 0, headers: 1, settings: 4, pushPromise: 5 } as const;

/** Type and length, both variable-length integers: RFC 9114 section 7.1. */
export const http3FrameFormat = {
  readHead(bytes: Uint8Array): { head: FrameHead; headBytes: number } | null {
    const cursor = new ByteCursor(bytes);
    const type = cursor.varint();
    const lengthBytes = cursor.varint();
    return cursor.failed ? null : { head: { type, lengthBytes }, headBytes: cursor.at };
  },
};
