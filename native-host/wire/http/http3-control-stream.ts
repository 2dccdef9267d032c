import type { Span } from '../stream-sink.ts';
import { ByteCursor } from '../tls/byte-cursor.ts';
import { FrameReader, type FrameHead, type FrameSink } from './frame-reader.ts';
import { http3FrameFormat, http3FrameType } from './http3-frames.ts';

/** RFC 9204 section 5. */
const qpackMaxTableCapacity = 0x01;

/** Reads the one thing of a control stream that is needed: RFC 9114 section 6.2.1. */
export class Http3ControlStream implements FrameSink<FrameHead> {
  readonly #onMaxTableCapacity: (bytes: number) => void;
  readonly #frames = new FrameReader(http3FrameFormat, this);

  /** @param onMaxTableCapacity called with the sender's SETTINGS; 0 is what an absent value means */
  constructor(onMaxTableCapacity: (bytes: number) => void) {
    this.#onMaxTableCapacity = onMaxTableCapacity;
  }

  get betweenFrames(): boolean {
    return this.#frames.betweenFrames;
  }

  push(bytes: Uint8Array, span: Span): void {
    this.#frames.push(bytes, span);
  }

  wants({ type }: FrameHead): 'whole' | 'nothing' {
    return type === http3FrameType.settings ? 'whole' : 'nothing';
  }

  onPiece(): void {
    // Nothing is wanted in pieces.
  }

  onFrame({ type }: FrameHead, payload: Uint8Array | null): void {
    if (type !== http3FrameType.settings || !payload) return;
    const cursor = new ByteCursor(payload);
    let maxTableCapacityBytes = 0;
    while (cursor.left > 0) {
      const setting = cursor.varint();
      const value = cursor.varint();
      if (setting === qpackMaxTableCapacity && !cursor.failed) maxTableCapacityBytes = value;
    }
    this.#onMaxTableCapacity(maxTableCapacityBytes);
  }
}
