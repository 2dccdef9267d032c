import type { Direction, QuicSink, Span } from '../stream-sink.ts';
import { ByteCursor } from '../tls/byte-cursor.ts';
import { ExchangeDraft } from './exchange-draft.ts';
import { ExchangeList } from './exchange-list.ts';
import { FieldSections } from './field-sections.ts';
import { Http3ControlStream } from './http3-control-stream.ts';
import { Http3MessageStream, type Http3MessageEvents } from './http3-message-stream.ts';
import type { HttpExchange } from './http-exchange.ts';
import { spanFrom } from './span.ts';

/** RFC 9114 section 6.2, RFC 9204 section 4.2. Others, reserved ones included, are passed over. */
const streamType = { control: 0, push: 1, qpackEncoder: 2 } as const;

/** Streams kept of one direction of a connection, a few more than {@link ExchangeList} keeps. */
const maxStreams = 65_600;

/** Pushes kept of one connection: no browser of today accepts any. */
const maxPushes = 1024;

/** What reads a stream once its type is known. */
interface StreamContent {
  /** False within a frame: a stream that ends there was cut. */
  readonly betweenFrames: boolean;
  push(bytes: Uint8Array, span: Span): void;
}

const passOver: StreamContent = { betweenFrames: false, push: () => undefined };

/** One direction of one QUIC stream. */
interface StreamState {
  nextOffset: number;
  /** Null while the type of a unidirectional stream is incomplete: `head` then holds its bytes so far. */
  content: StreamContent | null;
  head: number[];
  /** The exchange it is one side of. */
  exchange: ExchangeDraft | null;
}

/** Reads the requests of one HTTP/3 connection from the bytes of its streams (RFC 9114). */
export class Http3Reader implements Pick<QuicSink, 'onStreamData' | 'onStreamReset'> {
  readonly #notes = new Set<string>();
  readonly #exchanges = new ExchangeList(this.#notes);
  /** By push id: known from the promise, or from the push stream, whichever is seen first. */
  readonly #pushes = new Map<number, ExchangeDraft>();
  readonly #streams: Record<Direction, Map<number, StreamState>> = { up: new Map(), down: new Map() };
  readonly #sections: Record<Direction, FieldSections> = {
    up: new FieldSections(this.#notes),
    down: new FieldSections(this.#notes),
  };

  /** In the order in which they were first seen; what is still open is in it, and goes on changing. */
  get exchanges(): readonly HttpExchange[] {
    return this.#exchanges.all;
  }

  /** What could not be read, one sentence each. */
  get notes(): readonly string[] {
    return [...this.#notes];
  }

  onStreamData(
    direction: Direction,
    streamId: number,
    offset: number,
    bytes: Uint8Array,
    fin: boolean,
    span: Span,
  ): void {
    const state = this.#stream(direction, streamId);
    if (!state) return;
    if (offset !== state.nextOffset) {
      this.#notes.add(
        'Bytes of an HTTP/3 stream are missing in the capture: what follows them was not read.',
      );
      state.content = passOver;
    }
    state.nextOffset = offset + bytes.length;
    if (state.content) state.content.push(bytes, span);
    else this.#readHead(direction, streamId, state, bytes, span);
    if (!fin) return;
    if (direction === 'up') state.exchange?.addRequest(span, 0);
    else if (state.content?.betweenFrames) state.exchange?.endResponse(span);
    state.content = passOver;
  }

  onStreamReset(direction: Direction, streamId: number): void {
    this.#streams[direction].get(streamId)?.exchange?.cut();
  }

  #stream(direction: Direction, streamId: number): StreamState | undefined {
    const streams = this.#streams[direction];
    const known = streams.get(streamId);
    if (known || streams.size >= maxStreams) return known;
    const state = this.#openStream(direction, streamId);
    streams.set(streamId, state);
    return state;
  }

  /** The low two bits of a stream's id say who opened it and whether it goes both ways: RFC 9000 section 2.1. */
  #openStream(direction: Direction, streamId: number): StreamState {
    const state: StreamState = { nextOffset: 0, content: null, head: [], exchange: null };
    const isUnidirectional = (streamId & 2) !== 0;
    if (isUnidirectional) return state;
    state.content = passOver;
    // A server opens no two-way stream in HTTP/3.
    const exchange = (streamId & 1) === 0 ? this.#exchanges.at(streamId) : undefined;
    if (!exchange) return state;
    state.exchange = exchange;
    const events = direction === 'up' ? this.#requestEvents(exchange) : this.#responseEvents(exchange);
    state.content = new Http3MessageStream(events);
    return state;
  }

  /** Gathers the stream type, and the push id after it, of a unidirectional stream. */
  #readHead(direction: Direction, streamId: number, state: StreamState, bytes: Uint8Array, span: Span): void {
    const before = state.head.length;
    state.head.push(...bytes.subarray(0, 16));
    const cursor = new ByteCursor(Uint8Array.from(state.head));
    const type = cursor.varint();
    const isPush = type === streamType.push && direction === 'down';
    const pushId = isPush ? cursor.varint() : null;
    if (cursor.failed) return;
    state.head = [];
    state.exchange = pushId === null ? null : this.#openPush(pushId, streamId);
    state.content = state.exchange
      ? new Http3MessageStream(this.#responseEvents(state.exchange))
      : this.#uniContent(direction, type);
    const used = cursor.at - before;
    if (used < bytes.length) state.content.push(bytes.subarray(used), spanFrom(span, used));
  }

  /** A push is listed once its stream opens: until then it has no stream of its own. */
  #openPush(pushId: number, streamId: number): ExchangeDraft | null {
    const pushed = this.#push(pushId);
    if (!pushed || !this.#exchanges.add(streamId, pushed)) return null;
    pushed.streamId = streamId;
    return pushed;
  }

  #push(pushId: number): ExchangeDraft | undefined {
    const known = this.#pushes.get(pushId);
    if (known || this.#pushes.size >= maxPushes) return known;
    const pushed = new ExchangeDraft(0);
    pushed.pushed = true;
    this.#pushes.set(pushId, pushed);
    return pushed;
  }

  #uniContent(direction: Direction, type: number): StreamContent {
    switch (type) {
      case streamType.control: {
        // An endpoint's SETTINGS limit what is sent to it.
        const limited = this.#sections[direction === 'up' ? 'down' : 'up'];
        return new Http3ControlStream((bytes) => {
          limited.setMaxTableCapacity(bytes);
        });
      }
      case streamType.qpackEncoder: {
        const sections = this.#sections[direction];
        return {
          ...passOver,
          push: (bytes) => {
            sections.pushInstructions(bytes);
          },
        };
      }
      default:
        return passOver;
    }
  }

  #requestEvents(exchange: ExchangeDraft): Http3MessageEvents {
    return {
      onHeaders: (section, bytes, span) => {
        exchange.addRequest(span, bytes);
        this.#decode('up', section, (fields) => {
          exchange.describeRequest(fields);
        });
      },
      // Clients promise nothing.
      onPromise: () => undefined,
      onBody: (bytes, span) => {
        exchange.addRequest(span, bytes);
      },
    };
  }

  #responseEvents(exchange: ExchangeDraft): Http3MessageEvents {
    return {
      onHeaders: (section, bytes, span) => {
        exchange.addResponse(span, bytes);
        this.#decode('down', section, (fields) => {
          exchange.describeResponse(fields);
        });
      },
      onPromise: (pushId, section, span) => {
        const pushed = this.#push(pushId);
        pushed?.addRequest(span, section.length);
        this.#decode('down', section, (fields) => pushed?.describeRequest(fields));
      },
      onBody: (bytes, span) => {
        exchange.addResponse(span, bytes);
      },
    };
  }

  #decode(
    direction: Direction,
    section: Uint8Array | null,
    onFields: Parameters<FieldSections['decode']>[1],
  ): void {
    if (section) this.#sections[direction].decode(section, onFields);
    else this.#notes.add('A field section is too long to be read: some requests lack fields.');
  }
}
