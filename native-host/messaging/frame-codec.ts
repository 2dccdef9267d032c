import { endianness } from 'node:os';
import { TowlineError } from '../../shared/errors/towline-error.ts';

/** Length of the number in front of every message: 32 bits, in the machine's own byte order. */
const headerBytes = 4;

/** Longest message that is accepted. A browser may send 64 MiB; the longest request is far below this. */
export const maxRequestBytes = 1024 * 1024;

/** Longest message a browser accepts from a host: it closes the port at a longer one. */
export const maxMessageBytes = 1024 * 1024;

const littleEndian = endianness() === 'LE';

/** What was read: the bytes of one message, or that one was too long and is being left out. */
export type Frame = { kind: 'message'; body: Buffer } | { kind: 'too-large'; bytes: number };

/**
 * Cuts what a browser sends into messages, however it was cut up on its way. A message above
 * {@link maxRequestBytes} is told at its header and its body skipped, so that the next one is read again.
 *
 * Source: "Native messaging protocol", developer.chrome.com/docs/extensions/develop/concepts/native-messaging.
 */
export class FrameReader {
  #header = new Filling(headerBytes);
  /** Null while the header is not whole. */
  #body: Filling | null = null;
  /** Bytes still to come of a message that is too large. */
  #toSkip = 0;

  /** @returns what these bytes complete, in order; often nothing, sometimes several */
  push(bytes: Buffer): Frame[] {
    const frames: Frame[] = [];
    let rest = bytes;
    for (;;) {
      rest = this.#header.take(this.#skip(rest));
      if (!this.#header.isFull) return frames;
      const bodyBytes = readLength(this.#header.buffer);
      if (bodyBytes > maxRequestBytes) {
        frames.push({ kind: 'too-large', bytes: bodyBytes });
        this.#header = new Filling(headerBytes);
        this.#toSkip = bodyBytes;
        continue;
      }
      this.#body ??= new Filling(bodyBytes);
      rest = this.#body.take(rest);
      if (!this.#body.isFull) return frames;
      frames.push({ kind: 'message', body: this.#body.buffer });
      this.#header = new Filling(headerBytes);
      this.#body = null;
    }
  }

  /** @returns what is left of the bytes behind those that are to be skipped */
  #skip(bytes: Buffer): Buffer {
    const skipped = Math.min(this.#toSkip, bytes.length);
    this.#toSkip -= skipped;
    return bytes.subarray(skipped);
  }
}

/** A buffer that fills up with what arrives. */
class Filling {
  readonly buffer: Buffer;
  #filled = 0;

  constructor(bytes: number) {
    this.buffer = Buffer.alloc(bytes);
  }

  get isFull(): boolean {
    return this.#filled === this.buffer.length;
  }

  /** Takes what is missing. @returns the rest */
  take(bytes: Buffer): Buffer {
    const taken = bytes.copy(this.buffer, this.#filled);
    this.#filled += taken;
    return bytes.subarray(taken);
  }
}

function readLength(header: Buffer): number {
  return littleEndian ? header.readUInt32LE(0) : header.readUInt32BE(0);
}

/** One message as it goes to the browser. @throws TowlineError `message-too-large` above {@link maxMessageBytes} */
export function encodeFrame(message: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  if (body.length > maxMessageBytes) {
    throw new TowlineError(
      'message-too-large',
      'messaging',
      `An answer has ${body.length} bytes; the browser accepts ${maxMessageBytes}.`,
    );
  }
  const frame = Buffer.alloc(headerBytes + body.length);
  if (littleEndian) frame.writeUInt32LE(body.length, 0);
  else frame.writeUInt32BE(body.length, 0);
  body.copy(frame, headerBytes);
  return frame;
}
