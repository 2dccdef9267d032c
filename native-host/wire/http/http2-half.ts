import type { Direction, Span } from '../stream-sink.ts';
import { ByteAccumulator } from '../byte-accumulator.ts';
import { HpackDecoder } from './fields/hpack-decoder.ts';
import { FrameReader, maxCollectedBytes, type FrameHead, type FrameSink } from './frame-reader.ts';
import { HeadFields } from './head-fields.ts';
import { joinSpans } from './span.ts';

/** RFC 9113 section 3.4. */
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

/** RFC 9113 section 6; the others carry nothing of a request or response. */
const frameType = {
  data: 0,
  headers: 1,
  resetStream: 3,
  settings: 4,
  pushPromise: 5,
  continuation: 9,
} as const;

/** Frame types in use, by the IANA registry: up to PRIORITY_UPDATE. A first frame of another is no HTTP/2. */
const maxKnownType = 0x10;

/** RFC 9113 section 6.5.2. */
const maxConcurrentStreams = 0x3;
const settingBytes = 6;

/** SETTINGS_MAX_FRAME_SIZE as it stands before any other was agreed on. */
const initialMaxFrameBytes = 16_384;

const flag = { acknowledged: 0x1, endStream: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

interface Http2Head extends FrameHead {
  readonly flags: number;
  readonly streamId: number;
}

const format = {
  readHead(bytes: Uint8Array): { head: Http2Head; headBytes: number } | null {
    if (bytes.length < 9) return null;
    const head = {
      lengthBytes: bytes[0]! * 0x10000 + bytes[1]! * 0x100 + bytes[2]!,
      type: bytes[3]!,
      flags: bytes[4]!,
      streamId: uint31(bytes, 5),
    };
    return { head, headBytes: 9 };
  },
};

/** What one direction of an HTTP/2 connection says about its streams. */
export interface Http2Events {
  /**
   * @param fields what the block says; all null when it cannot be decoded
   * @param bytes of the block as sent
   */
  onHeaders(streamId: number, fields: HeadFields, bytes: number, span: Span): void;
  onPromise(promisedStreamId: number, fields: HeadFields, bytes: number, span: Span): void;
  /** @param bytes of body, padding left out */
  onBody(streamId: number, bytes: number, span: Span): void;
  /** END_STREAM. */
  onEnd(streamId: number, span: Span): void;
  onReset(streamId: number): void;
  /** How many streams the sender lets the other end have open at once. */
  onStreamLimit(streams: number): void;
}

/** A header block that may go on in CONTINUATION frames. */
interface OpenBlock {
  readonly streamId: number;
  readonly promisedStreamId: number | null;
  readonly endStream: boolean;
  readonly bytes: ByteAccumulator;
  span: Span;
}

/** Reads one direction of an HTTP/2 connection (RFC 9113), from its beginning or from between two frames. */
export class Http2Half implements FrameSink<Http2Head> {
  readonly #events: Http2Events;
  readonly #notes: Set<string>;
  readonly #frames = new FrameReader(format, this);
  #hpack: HpackDecoder | null = null;
  #prefaceAt: number;
  #padBytes = 0;
  #block: OpenBlock | null = null;

  constructor(direction: Direction, events: Http2Events, notes: Set<string>) {
    this.#events = events;
    this.#notes = notes;
    this.#prefaceAt = direction === 'up' ? 0 : preface.length;
  }

  push(bytes: Uint8Array, span: Span): void {
    this.#frames.push(bytes.subarray(this.#skipPreface(bytes, span)), span);
  }

  /** Bytes are missing: where the next frame begins is not known. */
  stop(): void {
    this.#frames.stop();
    this.#block = null;
  }

  wants(head: Http2Head): 'whole' | 'pieces' | 'nothing' {
    if (!this.#hpack && !this.#begin(head)) return 'nothing';
    switch (head.type) {
      case frameType.data:
        this.#padBytes = 0;
        return 'pieces';
      case frameType.headers:
      case frameType.pushPromise:
      case frameType.continuation:
      case frameType.settings:
        return 'whole';
      default:
        return 'nothing';
    }
  }

  onPiece({ streamId, flags, lengthBytes }: Http2Head, offset: number, piece: Uint8Array, span: Span): void {
    const padded = (flags & flag.padded) !== 0;
    if (padded && offset === 0) this.#padBytes = piece[0]!;
    const bodyStart = padded ? 1 : 0;
    const from = Math.max(offset, bodyStart);
    const to = Math.min(offset + piece.length, lengthBytes - this.#padBytes);
    if (to > from && streamId > 0) this.#events.onBody(streamId, to - from, span);
  }

  onFrame(head: Http2Head, payload: Uint8Array | null, span: Span): void {
    if (head.type === frameType.settings) this.#readSettings(head, payload);
    if (head.streamId === 0) return;
    switch (head.type) {
      case frameType.data:
        if ((head.flags & flag.endStream) !== 0) this.#events.onEnd(head.streamId, span);
        break;
      case frameType.headers:
      case frameType.pushPromise:
        this.#openBlock(head, payload, span);
        break;
      case frameType.continuation:
        this.#continueBlock(head, payload, span);
        break;
      case frameType.resetStream:
        this.#events.onReset(head.streamId);
        break;
    }
  }

  #readSettings({ flags, streamId }: Http2Head, payload: Uint8Array | null): void {
    if (streamId !== 0 || payload === null || (flags & flag.acknowledged) !== 0) return;
    for (let at = 0; at + settingBytes <= payload.length; at += settingBytes) {
      const name = payload[at]! * 0x100 + payload[at + 1]!;
      const value = Buffer.from(payload.subarray(at + 2, at + settingBytes)).readUInt32BE();
      if (name === maxConcurrentStreams) this.#events.onStreamLimit(value);
    }
  }

  /** @returns how many of `bytes` are of the connection preface */
  #skipPreface(bytes: Uint8Array, span: Span): number {
    let at = 0;
    while (at < bytes.length && this.#prefaceAt < preface.length) {
      if (bytes[at] !== preface[this.#prefaceAt]) {
        this.#frames.push(preface.subarray(0, this.#prefaceAt), span);
        this.#prefaceAt = preface.length;
        break;
      }
      at += 1;
      this.#prefaceAt += 1;
    }
    return at;
  }

  /**
   * Judges the first frame: SETTINGS begins each direction; another frame means that the capture began later.
   *
   * @returns false when these bytes are no frame
   */
  #begin({ type, streamId, lengthBytes }: Http2Head): boolean {
    const joinedLate = type !== frameType.settings || streamId !== 0;
    if (type > maxKnownType || lengthBytes > initialMaxFrameBytes) {
      this.#notes.add('What a connection said it would send as HTTP/2 is no HTTP/2 frame; it was not read.');
      this.stop();
      return false;
    }
    if (joinedLate) {
      this.#notes.add('An HTTP/2 connection began before the capture: some of its requests lack fields.');
    }
    this.#hpack = new HpackDecoder({ joinedLate });
    return true;
  }

  #openBlock({ type, flags, streamId }: Http2Head, payload: Uint8Array | null, span: Span): void {
    if (this.#block) this.#dropBlock();
    const isPromise = type === frameType.pushPromise;
    const padded = (flags & flag.padded) !== 0;
    let start = padded ? 1 : 0;
    const end = payload ? payload.length - (padded ? (payload[0] ?? 0) : 0) : 0;
    const promisedStreamId =
      isPromise && payload && payload.length >= start + 4 ? uint31(payload, start) : null;
    if (isPromise) start += 4;
    else if ((flags & flag.priority) !== 0) start += 5;

    const bytes = new ByteAccumulator();
    this.#block = {
      streamId,
      promisedStreamId,
      endStream: (flags & flag.endStream) !== 0 && !isPromise,
      bytes,
      span,
    };
    if (!payload || end < start || (isPromise && promisedStreamId === null)) {
      this.#dropBlock();
      return;
    }
    bytes.append(payload.subarray(start, end));
    if ((flags & flag.endHeaders) !== 0) this.#closeBlock(this.#block);
  }

  #continueBlock({ flags, streamId }: Http2Head, payload: Uint8Array | null, span: Span): void {
    const block = this.#block;
    if (!block) return;
    if (block.streamId !== streamId || !payload || block.bytes.length + payload.length > maxCollectedBytes) {
      this.#dropBlock();
      return;
    }
    block.bytes.append(payload);
    block.span = joinSpans(block.span, span);
    if ((flags & flag.endHeaders) !== 0) this.#closeBlock(block);
  }

  #closeBlock({ streamId, promisedStreamId, endStream, bytes, span }: OpenBlock): void {
    this.#block = null;
    const fields = new HeadFields();
    if (!this.#hpack!.decode(bytes.bytes, fields.take)) this.#noteUndecodable();
    if (promisedStreamId === null) this.#events.onHeaders(streamId, fields, bytes.length, span);
    else this.#events.onPromise(promisedStreamId, fields, bytes.length, span);
    if (endStream) this.#events.onEnd(streamId, span);
  }

  #dropBlock(): void {
    this.#block = null;
    this.#hpack!.break();
    this.#noteUndecodable();
  }

  #noteUndecodable(): void {
    this.#notes.add('A header block could not be decoded (HPACK): some requests lack fields.');
  }
}

function uint31(bytes: Uint8Array, at: number): number {
  return (bytes[at]! & 0x7f) * 0x1000000 + bytes[at + 1]! * 0x10000 + bytes[at + 2]! * 0x100 + bytes[at + 3]!;
}
