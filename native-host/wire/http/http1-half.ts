import type { Span } from '../stream-sink.ts';
import { ByteAccumulator } from '../byte-accumulator.ts';
import type { Http1Framing } from './http1-framing.ts';
import { latin1 } from './latin1.ts';
import { joinSpans, spanFrom } from './span.ts';

/** Longest head, or trailer section, read: browsers refuse more than 256 KiB. */
const maxHeadBytes = 262_144;

const lineFeed = 0x0a;

/** What one direction of an HTTP/1.1 connection says. */
export interface Http1Events {
  /**
   * @param lines of the head, without their ends; the first is the start line
   * @param bytes of the head, its empty line included
   * @returns how its body is delimited
   */
  onHead(lines: readonly string[], bytes: number, span: Span): Http1Framing;
  /** Body bytes as sent, or a trailer line; chunk sizes are not among them. */
  onBody(bytes: number, span: Span): void;
  /** The message is whole. `span` is that of its last bytes. */
  onEnd(span: Span): void;
}

type State =
  'head' | 'counted' | 'until-close' | 'chunk-size' | 'chunk-data' | 'chunk-end' | 'trailers' | 'stopped';

/** Cuts one direction of an HTTP/1.1 connection into messages (RFC 9112). Keeps one head at most. */
export class Http1Half {
  readonly #events: Http1Events;
  readonly #notes: Set<string>;
  #state: State = 'head';
  readonly #line = new ByteAccumulator();
  #lines: string[] = [];
  #headBytes = 0;
  /** Of the head, or of the single line, that is being read. */
  #span: Span | null = null;
  /** Last bytes of a body that only the connection's close will end. */
  #openBodySpan: Span | null = null;
  #leftBytes = 0;

  constructor(events: Http1Events, notes: Set<string>) {
    this.#events = events;
    this.#notes = notes;
  }

  push(bytes: Uint8Array, span: Span): void {
    let at = 0;
    while (at < bytes.length && this.#state !== 'stopped') {
      const rest = bytes.subarray(at);
      at += this.#takesBody()
        ? this.#takeBody(rest, spanFrom(span, at))
        : this.#takeLine(rest, spanFrom(span, at));
    }
  }

  /** The connection was closed: that ends a body which nothing else delimits. */
  end(): void {
    this.#state = 'stopped';
    if (this.#openBodySpan) this.#events.onEnd(this.#openBodySpan);
    this.#openBodySpan = null;
  }

  /** Reads no further. */
  stop(why: string): void {
    if (this.#state === 'stopped') return;
    this.#state = 'stopped';
    this.#line.clear();
    this.#lines = [];
    this.#openBodySpan = null;
    this.#notes.add(why);
  }

  #takesBody(): boolean {
    return this.#state === 'counted' || this.#state === 'until-close' || this.#state === 'chunk-data';
  }

  #takeBody(bytes: Uint8Array, span: Span): number {
    const count = Math.min(bytes.length, this.#leftBytes);
    this.#leftBytes -= count;
    this.#events.onBody(count, span);
    if (this.#state === 'until-close') this.#openBodySpan = span;
    if (this.#leftBytes === 0) {
      if (this.#state === 'chunk-data') this.#state = 'chunk-end';
      else this.#finish(span);
    }
    return count;
  }

  /** @returns how many bytes belong to the line that `bytes` continue */
  #takeLine(bytes: Uint8Array, span: Span): number {
    const feed = bytes.indexOf(lineFeed);
    const count = feed < 0 ? bytes.length : feed + 1;
    if (this.#headBytes + this.#line.length + count > maxHeadBytes) {
      this.stop('An HTTP/1.1 head is too long to be read.');
      return count;
    }
    this.#span = this.#span ? joinSpans(this.#span, span) : span;
    const piece = bytes.subarray(0, count);
    if (feed < 0 || this.#line.length > 0) this.#line.append(piece);
    if (feed < 0) return count;
    const whole = this.#line.length > 0 ? this.#line.bytes : piece;
    const lineBytes = whole.length;
    const line = latin1(whole).replace(/\r?\n$/, '');
    this.#line.clear();
    this.#takeWholeLine(line, lineBytes, this.#span);
    return count;
  }

  #takeWholeLine(line: string, lineBytes: number, span: Span): void {
    switch (this.#state) {
      case 'head':
        this.#takeHeadLine(line, lineBytes, span);
        break;
      case 'chunk-size':
        this.#takeChunkSize(line);
        break;
      case 'chunk-end':
        this.#state = 'chunk-size';
        break;
      case 'trailers':
        this.#headBytes += lineBytes;
        if (line === '') this.#finish(span);
        else this.#events.onBody(lineBytes, span);
        break;
      default:
        // The other states take no lines.
        break;
    }
    if (this.#state !== 'head') this.#span = null;
  }

  #takeHeadLine(line: string, lineBytes: number, span: Span): void {
    // An empty line before a message is to be ignored: RFC 9112 section 2.2.
    if (line === '' && this.#lines.length === 0) {
      this.#span = null;
      return;
    }
    this.#headBytes += lineBytes;
    if (line !== '') {
      this.#lines.push(line);
      return;
    }
    const lines = this.#lines;
    const headBytes = this.#headBytes;
    this.#lines = [];
    this.#headBytes = 0;
    const framing = this.#events.onHead(lines, headBytes, span);
    this.#span = null;
    this.#enterBody(framing, span);
  }

  #enterBody(framing: Http1Framing, span: Span): void {
    switch (framing.kind) {
      case 'length':
        this.#leftBytes = framing.bytes;
        this.#state = 'counted';
        if (framing.bytes === 0) this.#finish(span);
        break;
      case 'chunked':
        this.#state = 'chunk-size';
        break;
      case 'until-close':
        this.#leftBytes = Infinity;
        this.#openBodySpan = span;
        this.#state = 'until-close';
        break;
      case 'tunnel':
      case 'unreadable':
        this.stop(framing.why);
        break;
    }
  }

  #takeChunkSize(line: string): void {
    // Extensions after a semicolon mean nothing here: RFC 9112 section 7.1.1.
    const size = /^([0-9a-f]{1,13})\s*(;|$)/i.exec(line)?.[1];
    if (size === undefined) {
      this.stop('An HTTP/1.1 body has a chunk without a size.');
      return;
    }
    this.#leftBytes = Number.parseInt(size, 16);
    this.#state = this.#leftBytes === 0 ? 'trailers' : 'chunk-data';
  }

  #finish(span: Span): void {
    this.#state = 'head';
    this.#headBytes = 0;
    this.#span = null;
    this.#events.onEnd(span);
  }
}
