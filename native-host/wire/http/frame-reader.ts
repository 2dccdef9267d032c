import type { Span } from '../stream-sink.ts';
import { ByteAccumulator } from '../byte-accumulator.ts';
import { joinSpans, spanFrom } from './span.ts';

/** Longest payload gathered whole: browsers refuse header blocks beyond 256 KiB. */
export const maxCollectedBytes = 262_144;

export interface FrameHead {
  readonly type: number;
  /** Of the payload. */
  readonly lengthBytes: number;
}

/** How a protocol writes the head of its frames. */
export interface FrameFormat<Head extends FrameHead> {
  /** @returns the head at the start of `bytes` and how long it is, or null when it is not all there yet */
  readHead(bytes: Uint8Array): { readonly head: Head; readonly headBytes: number } | null;
}

export interface FrameSink<Head extends FrameHead> {
  /** Asked once for each frame: its payload whole, in pieces as they come, or not at all. */
  wants(head: Head): 'whole' | 'pieces' | 'nothing';
  /** @param offset of the piece within the payload */
  onPiece(head: Head, offset: number, piece: Uint8Array, span: Span): void;
  /**
   * The frame is over.
   *
   * @param payload valid during the call; null when it was not wanted whole, or longer than
   *   {@link maxCollectedBytes}
   * @param span from the first byte of its head to the last of its payload
   */
  onFrame(head: Head, payload: Uint8Array | null, span: Span): void;
}

/** Cuts a byte stream into frames. Keeps at most one head and one wanted payload. */
export class FrameReader<Head extends FrameHead> {
  readonly #format: FrameFormat<Head>;
  readonly #sink: FrameSink<Head>;
  readonly #kept = new ByteAccumulator();
  #head: Head | null = null;
  #wanted: 'whole' | 'pieces' | 'nothing' = 'nothing';
  #doneBytes = 0;
  #span: Span | null = null;
  #stopped = false;

  constructor(format: FrameFormat<Head>, sink: FrameSink<Head>) {
    this.#format = format;
    this.#sink = sink;
  }

  /** True when no frame is begun. */
  get betweenFrames(): boolean {
    return this.#span === null;
  }

  /** Reads no further: what comes is not of this protocol, or a part of it is missing. */
  stop(): void {
    this.#stopped = true;
    this.#kept.clear();
  }

  push(bytes: Uint8Array, span: Span): void {
    let at = 0;
    while (at < bytes.length && !this.#stopped) {
      const here = spanFrom(span, at);
      this.#span = this.#span ? joinSpans(this.#span, here) : here;
      const rest = bytes.subarray(at);
      at += this.#head ? this.#takePayload(this.#head, rest, here) : this.#takeHead(rest);
    }
  }

  /** @returns how many bytes were used, at least one */
  #takeHead(bytes: Uint8Array): number {
    const keptBytes = this.#kept.length;
    if (keptBytes > 0) this.#kept.append(bytes.subarray(0, 16));
    const read = this.#format.readHead(keptBytes > 0 ? this.#kept.bytes : bytes);
    if (!read) {
      if (keptBytes === 0) this.#kept.append(bytes);
      return bytes.length;
    }
    this.#kept.clear();
    this.#head = read.head;
    this.#wanted = this.#sink.wants(read.head);
    this.#doneBytes = 0;
    if (read.head.lengthBytes === 0 && !this.#stopped)
      this.#finish(read.head, this.#wanted === 'whole' ? this.#kept.bytes : null);
    return read.headBytes - keptBytes;
  }

  #takePayload(head: Head, bytes: Uint8Array, span: Span): number {
    const piece = bytes.subarray(0, Math.min(bytes.length, head.lengthBytes - this.#doneBytes));
    const isLast = this.#doneBytes + piece.length >= head.lengthBytes;
    let payload: Uint8Array | null = null;
    if (this.#wanted === 'pieces') this.#sink.onPiece(head, this.#doneBytes, piece, span);
    if (this.#wanted === 'whole') {
      if (this.#doneBytes + piece.length > maxCollectedBytes) {
        this.#wanted = 'nothing';
        this.#kept.clear();
      } else if (isLast && this.#kept.length === 0) {
        payload = piece;
      } else {
        this.#kept.append(piece);
        payload = isLast ? this.#kept.bytes : null;
      }
    }
    this.#doneBytes += piece.length;
    if (isLast) this.#finish(head, payload);
    return piece.length;
  }

  #finish(head: Head, payload: Uint8Array | null): void {
    const span = this.#span!;
    this.#head = null;
    this.#span = null;
    this.#sink.onFrame(head, payload, span);
    this.#kept.clear();
  }
}
