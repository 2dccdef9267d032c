import type { Direction, Span } from '../stream-sink.ts';
import type { ConnectionReader } from './connection-reader.ts';
import { ExchangeList } from './exchange-list.ts';
import { HeadFields } from './head-fields.ts';
import { requestFraming, responseFraming, type Http1Framing } from './http1-framing.ts';
import { Http1Half } from './http1-half.ts';
import { parseFields, parseRequestLine, parseStatusLine, resolveTarget } from './http1-head.ts';
import type { HttpExchange } from './http-exchange.ts';

const notHttp: Http1Framing = {
  kind: 'unreadable',
  why: 'What a connection carries as HTTP/1.1 does not read as such from some point on.',
};

/**
 * Reads the requests of one HTTP/1.1 connection (RFC 9112), pipelined or not: the nth response answers the nth
 * request. After an upgrade or CONNECT it stops.
 */
export class Http1Reader implements ConnectionReader {
  readonly #scheme: 'http' | 'https';
  readonly #notes = new Set<string>();
  readonly #exchanges = new ExchangeList(this.#notes);
  readonly #halves: Record<Direction, Http1Half>;
  #asking = 1;
  #answering = 1;
  /** The response head last read was an interim one: its end is not that of the exchange. */
  #interim = false;

  /** @param scheme `http` in the clear */
  constructor(scheme: 'http' | 'https') {
    this.#scheme = scheme;
    this.#halves = {
      up: new Http1Half(
        {
          onHead: (lines, bytes, span) => this.#onRequestHead(lines, bytes, span),
          onBody: (bytes, span) => this.#exchanges.at(this.#asking)?.addRequest(span, bytes),
          onEnd: (span) => {
            this.#exchanges.at(this.#asking)?.addRequest(span, 0);
            this.#asking += 1;
          },
        },
        this.#notes,
      ),
      down: new Http1Half(
        {
          onHead: (lines, bytes, span) => this.#onResponseHead(lines, bytes, span),
          onBody: (bytes, span) => this.#exchanges.at(this.#answering)?.addResponse(span, bytes),
          onEnd: (span) => {
            this.#onResponseEnd(span);
          },
        },
        this.#notes,
      ),
    };
  }

  get exchanges(): readonly HttpExchange[] {
    return this.#exchanges.all;
  }

  get notes(): readonly string[] {
    return [...this.#notes];
  }

  onApplicationData(direction: Direction, plaintext: Uint8Array, span: Span): void {
    this.#halves[direction].push(plaintext, span);
  }

  onApplicationGap(direction: Direction): void {
    this.#halves[direction].stop(
      'Bytes of an HTTP/1.1 connection are missing in the capture: what follows them was not read.',
    );
  }

  onEnd(direction: Direction): void {
    this.#halves[direction].end();
  }

  #onRequestHead(lines: readonly string[], bytes: number, span: Span): Http1Framing {
    const request = parseRequestLine(lines[0]!);
    if (!request) return notHttp;
    const fields = parseFields(lines);
    const { method, target } = request;
    const head = Object.assign(new HeadFields(), {
      method,
      scheme: this.#scheme,
      ...resolveTarget(method, target, fields.get('host') ?? null),
    });
    const exchange = this.#exchanges.at(this.#asking);
    exchange?.describeRequest(head);
    exchange?.addRequest(span, bytes);
    return requestFraming(method, fields);
  }

  #onResponseHead(lines: readonly string[], bytes: number, span: Span): Http1Framing {
    const status = parseStatusLine(lines[0]!);
    if (status === null) return notHttp;
    const exchange = this.#exchanges.at(this.#answering);
    exchange?.describeResponse(Object.assign(new HeadFields(), { status }));
    exchange?.addResponse(span, bytes);
    this.#interim = status < 200;
    const framing = responseFraming(exchange?.method ?? null, status, parseFields(lines));
    if (framing.kind === 'tunnel') {
      exchange?.endResponse(span);
      this.#halves.up.stop(framing.why);
    }
    return framing;
  }

  #onResponseEnd(span: Span): void {
    if (this.#interim) return;
    this.#exchanges.at(this.#answering)?.endResponse(span);
    this.#answering += 1;
  }
}
