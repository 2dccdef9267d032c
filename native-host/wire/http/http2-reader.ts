import type { Direction, Span } from '../stream-sink.ts';
import { ExchangeList } from './exchange-list.ts';
import type { HttpExchange } from './http-exchange.ts';
import { Http2Half, type Http2Events } from './http2-half.ts';
import type { ConnectionReader } from './connection-reader.ts';

/** Reads the requests of one HTTP/2 connection from its decrypted bytes (RFC 9113). */
export class Http2Reader implements ConnectionReader {
  readonly #notes = new Set<string>();
  readonly #exchanges = new ExchangeList(this.#notes);
  readonly #halves: Record<Direction, Http2Half> = {
    up: new Http2Half('up', this.#requestEvents(), this.#notes),
    down: new Http2Half('down', this.#responseEvents(), this.#notes),
  };

  get exchanges(): readonly HttpExchange[] {
    return this.#exchanges.all;
  }

  /** What the server said last (SETTINGS_MAX_CONCURRENT_STREAMS); null where it set no limit, or none was seen. */
  streamLimit: number | null = null;

  get notes(): readonly string[] {
    return [...this.#notes];
  }

  onApplicationData(direction: Direction, plaintext: Uint8Array, span: Span): void {
    this.#halves[direction].push(plaintext, span);
  }

  onApplicationGap(direction: Direction): void {
    this.#notes.add(
      'Bytes of an HTTP/2 connection are missing in the capture: what follows them was not read.',
    );
    this.#halves[direction].stop();
  }

  onEnd(): void {
    // Each stream says itself where it ends; a connection that closes before has cut it.
  }

  #requestEvents(): Http2Events {
    return {
      onHeaders: (streamId, fields, bytes, span) => {
        const exchange = this.#exchanges.at(streamId);
        exchange?.describeRequest(fields);
        exchange?.addRequest(span, bytes);
      },
      // Clients promise nothing.
      onPromise: () => undefined,
      onBody: (streamId, bytes, span) => this.#exchanges.at(streamId)?.addRequest(span, bytes),
      onEnd: (streamId, span) => this.#exchanges.find(streamId)?.addRequest(span, 0),
      onReset: (streamId) => this.#exchanges.find(streamId)?.cut(),
      // Its limit is one of pushes.
      onStreamLimit: () => undefined,
    };
  }

  #responseEvents(): Http2Events {
    return {
      onHeaders: (streamId, fields, bytes, span) => {
        const exchange = this.#exchanges.at(streamId);
        exchange?.describeResponse(fields);
        exchange?.addResponse(span, bytes);
      },
      onPromise: (promisedStreamId, fields, bytes, span) => {
        const exchange = this.#exchanges.at(promisedStreamId);
        if (!exchange) return;
        exchange.pushed = true;
        exchange.describeRequest(fields);
        exchange.addRequest(span, bytes);
      },
      onBody: (streamId, bytes, span) => this.#exchanges.at(streamId)?.addResponse(span, bytes),
      onEnd: (streamId, span) => this.#exchanges.find(streamId)?.endResponse(span),
      onReset: (streamId) => this.#exchanges.find(streamId)?.cut(),
      onStreamLimit: (streams) => {
        this.streamLimit = streams;
      },
    };
  }
}
