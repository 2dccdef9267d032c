import type { Span } from '../stream-sink.ts';
import type { HeadFields } from './head-fields.ts';
import type { HttpExchange, ResponseSegment } from './http-exchange.ts';
import { SegmentList } from './segment-list.ts';

/** An exchange while it is being read. */
export class ExchangeDraft implements HttpExchange {
  streamId: number;
  pushed = false;
  method: string | null = null;
  scheme: string | null = null;
  authority: string | null = null;
  path: string | null = null;
  status: number | null = null;
  requestFirstAtMs: number | null = null;
  requestLastAtMs: number | null = null;
  responseFirstAtMs: number | null = null;
  responseLastAtMs: number | null = null;
  requestBytes = 0;
  responseBytes = 0;
  complete = false;
  reset = false;
  readonly #segments = new SegmentList();

  constructor(streamId: number) {
    this.streamId = streamId;
  }

  get segments(): readonly ResponseSegment[] {
    return this.#segments.all;
  }

  /** Header block or body of the request; no bytes for what only ends it. */
  addRequest(span: Span, bytes: number): void {
    this.requestFirstAtMs ??= span.firstAtMs;
    this.requestLastAtMs = Math.max(this.requestLastAtMs ?? -Infinity, span.lastAtMs);
    this.requestBytes += bytes;
  }

  /** Header block or body of the response. */
  addResponse(span: Span, bytes: number): void {
    this.responseFirstAtMs ??= span.firstAtMs;
    this.responseLastAtMs = Math.max(this.responseLastAtMs ?? -Infinity, span.lastAtMs);
    this.responseBytes += bytes;
    if (bytes > 0) this.#segments.add(span, bytes);
  }

  endResponse(span: Span): void {
    // An end without a beginning: the response itself was not seen.
    if (this.responseFirstAtMs === null || this.reset) return;
    this.addResponse(span, 0);
    this.complete = true;
  }

  /** Either side gave it up. After the end it changes nothing: servers may so refuse the rest of an upload. */
  cut(): void {
    if (!this.complete) this.reset = true;
  }

  describeRequest(head: HeadFields): void {
    this.method ??= head.method;
    this.scheme ??= head.scheme;
    this.authority ??= head.authority;
    this.path ??= head.path;
  }

  /** A final status stays, whichever header block is decoded last: trailers have none, interim ones are 1xx. */
  describeResponse(head: HeadFields): void {
    if (head.status !== null && (this.status ?? 100) < 200) this.status = head.status;
  }
}
