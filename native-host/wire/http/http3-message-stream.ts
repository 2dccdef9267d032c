import type { Span } from '../stream-sink.ts';
import { ByteCursor } from '../tls/byte-cursor.ts';
import { FrameReader, type FrameHead, type FrameSink } from './frame-reader.ts';
import { http3FrameFormat, http3FrameType } from './http3-frames.ts';

/** What one direction of a request or push stream says. */
export interface Http3MessageEvents {
  /** @param section valid during the call; null when too long to be read */
  onHeaders(section: Uint8Array | null, bytes: number, span: Span): void;
  onPromise(pushId: number, section: Uint8Array, span: Span): void;
  onBody(bytes: number, span: Span): void;
}

/** Reads the frames of one direction of a request or push stream: RFC 9114 section 4.1. */
export class Http3MessageStream implements FrameSink<FrameHead> {
  readonly #events: Http3MessageEvents;
  readonly #frames = new FrameReader(http3FrameFormat, this);

  constructor(events: Http3MessageEvents) {
    this.#events = events;
  }

  get betweenFrames(): boolean {
    return this.#frames.betweenFrames;
  }

  push(bytes: Uint8Array, span: Span): void {
    this.#frames.push(bytes, span);
  }

  wants({ type }: FrameHead): 'whole' | 'pieces' | 'nothing' {
    if (type === http3FrameType.data) return 'pieces';
    return type === http3FrameType.headers || type === http3FrameType.pushPromise ? 'whole' : 'nothing';
  }

  onPiece(_head: FrameHead, _offset: number, piece: Uint8Array, span: Span): void {
    this.#events.onBody(piece.length, span);
  }

  onFrame({ type, lengthBytes }: FrameHead, payload: Uint8Array | null, span: Span): void {
    if (type === http3FrameType.headers) this.#events.onHeaders(payload, lengthBytes, span);
    if (type !== http3FrameType.pushPromise || !payload) return;
    const cursor = new ByteCursor(payload);
    const pushId = cursor.varint();
    if (!cursor.failed) this.#events.onPromise(pushId, payload.subarray(cursor.at), span);
  }
}
