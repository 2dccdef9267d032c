import type { Direction, Span } from '../stream-sink.ts';
import type { Estimate, KeylessEstimates } from './estimate.ts';

/** Record types, RFC 8446 section 5.1. */
const handshakeRecord = 22;
const applicationRecord = 23;

/** What sealing adds to a record: content type and tag in TLS 1.3; explicit nonce and tag in 1.2 (AES-GCM). */
const overheadBytes = { tls13: 17, tls12: 24 } as const;

/** An alert: level and description. In TLS 1.3 it looks like application data of this length. */
const alertBytes = 2;

/**
 * Longest record that can be a client's HTTP/2 preface, SETTINGS and WINDOW_UPDATE without a request. Chromium
 * sends 24 + 33 + 13 bytes.
 */
const longestPrefaceBytes = 24 + 9 + 6 * 10 + 13;
const shortestPrefaceBytes = 24 + 9;

/**
 * Longest record that can be HTTP/2 frames about the connection only: SETTINGS acknowledged (9), WINDOW_UPDATE
 * and RST_STREAM (13), PING and GOAWAY (17), or two of them. A browser's shortest request is longer.
 */
const longestControlBytes = 30;

/**
 * An HTTP/2 frame without content: from a server, SETTINGS acknowledged at first, later the end of a stream. The ends of
 * several may lie in one record; no other frames about the connection have such a length together.
 */
const emptyFrameBytes = 9;

/** A record longer than this carries a response: servers' SETTINGS and session tickets stay below. */
const surelyResponseBytes = 600;

/**
 * Once there was a response, so does every record longer than this: SETTINGS and tickets are past, and a
 * GOAWAY with its reason is shorter.
 */
const laterResponseBytes = 100;

/** First client records remembered; a request not among them is no first request. */
const maxRemembered = 32;

interface SentRecord {
  readonly atMs: number;
  readonly textBytes: number;
}

/** What the timeline needs to know of the handshake, as far as it was seen. */
export interface TlsTimelineFacts {
  readonly tlsVersion: string | null;
  readonly alpn: string | null;
  readonly alpnOffered: readonly string[];
}

/**
 * Reads the first request and the last response of a TLS connection from the lengths of its records alone.
 *
 * First request: the first client record of application data after the one that carries the Finished
 * (TLS 1.3; with 0-RTT, the first before the ServerHello); where HTTP/2 was offered and this record has the
 * length of the preface with SETTINGS, the next that is longer than control frames. A later page load on the same
 * connection has no preface: there, the first that is longer than control frames. It cannot have been before the first
 * of these records, nor after the last one that precedes a sure response.
 *
 * Last response: the last server record of application data that is no close_notify and, on HTTP/2, longer
 * than control frames or of the length of an empty one, which ends a stream. It cannot have been before the last record long enough for responses only, nor after the last record at all.
 */
export class TlsTimeline {
  readonly #facts: TlsTimelineFacts;
  /** The client's application data after its Finished, or its 0-RTT data. */
  #sent: SentRecord[] = [];
  /** The preface can only be the first the client says on a connection. */
  #mayBePreface: boolean;
  #finishedSeen = false;
  #anyDown = false;
  #sureResponseSeen = false;
  #sentBeforeResponseAtMs: number | null = null;
  #lastSureAtMs: number | null = null;
  #firstDownAtMs: number | null = null;
  #lastLikelyAtMs: number | null = null;
  #lastAnyAtMs: number | null = null;

  /** @param handshakeDone true for a connection whose first records went by before */
  constructor(facts: TlsTimelineFacts, handshakeDone = false) {
    this.#facts = facts;
    this.#finishedSeen = this.#anyDown = handshakeDone;
    this.#mayBePreface = !handshakeDone;
  }

  record(direction: Direction, contentType: number, lengthBytes: number, span: Span): void {
    if (contentType === applicationRecord) {
      if (direction === 'up') this.#up(lengthBytes, span.lastAtMs);
      else this.#down(lengthBytes, span.lastAtMs);
    } else if (direction === 'down' && contentType === handshakeRecord) {
      this.#anyDown = true;
    }
  }

  /** The estimates, and a fresh start for the next page load on the same connection. */
  take(): KeylessEstimates {
    const { firstRequest, lastResponse } = this;
    this.#mayBePreface &&= this.#sent.length === 0;
    this.#sent = [];
    this.#sureResponseSeen = false;
    this.#sentBeforeResponseAtMs = null;
    this.#firstDownAtMs = null;
    this.#lastSureAtMs = null;
    this.#lastLikelyAtMs = null;
    this.#lastAnyAtMs = null;
    return { firstRequest, lastResponse };
  }

  get firstRequest(): Estimate | null {
    const [first, ...rest] = this.#sent;
    if (first === undefined) return null;
    const isPreface = first.textBytes >= shortestPrefaceBytes && first.textBytes <= longestPrefaceBytes;
    const mayFollow = this.#mayBeHttp2 && (!this.#mayBePreface || isPreface);
    const request = mayFollow
      ? (this.#mayBePreface ? rest : this.#sent).find((record) => record.textBytes > longestControlBytes)
      : first;
    if (request === undefined) return null;
    return {
      atMs: request.atMs,
      earliestMs: first.atMs,
      latestMs: Math.max(request.atMs, this.#mayBeHttp2 ? (this.#sentBeforeResponseAtMs ?? 0) : 0),
    };
  }

  get lastResponse(): Estimate | null {
    const atMs = this.#lastLikelyAtMs;
    if (atMs === null) return null;
    return {
      atMs,
      // Without a sure response, it can be any of the server's records.
      earliestMs: this.#lastSureAtMs ?? this.#firstDownAtMs ?? atMs,
      latestMs: Math.max(atMs, this.#lastAnyAtMs ?? atMs),
    };
  }

  get #isTls13(): boolean {
    return this.#facts.tlsVersion === '1.3';
  }

  get #mayBeHttp2(): boolean {
    const { alpn, alpnOffered } = this.#facts;
    return alpn === null ? alpnOffered.includes('h2') : alpn === 'h2';
  }

  #textBytes(lengthBytes: number): number {
    return lengthBytes - (this.#isTls13 ? overheadBytes.tls13 : overheadBytes.tls12);
  }

  #up(lengthBytes: number, atMs: number): void {
    // In TLS 1.3 the first sealed record after the ServerHello is the Finished. What was sealed before the
    // server said anything is 0-RTT data.
    if (this.#isTls13 && this.#anyDown && !this.#finishedSeen) {
      this.#finishedSeen = true;
      return;
    }
    const textBytes = this.#anyDown ? this.#textBytes(lengthBytes) : lengthBytes - overheadBytes.tls13;
    if (textBytes === alertBytes) return;
    if (this.#sent.length < maxRemembered) this.#sent.push({ atMs, textBytes });
    if (!this.#sureResponseSeen) this.#sentBeforeResponseAtMs = atMs;
  }

  #down(lengthBytes: number, atMs: number): void {
    this.#anyDown = true;
    const textBytes = this.#textBytes(lengthBytes);
    if (this.#sent.length === 0 || textBytes <= alertBytes) return;
    this.#firstDownAtMs ??= atMs;
    this.#lastAnyAtMs = later(this.#lastAnyAtMs, atMs);
    this.#sureResponseSeen ||= textBytes > surelyResponseBytes;
    // HTTP/1.1 has nothing to say but responses; HTTP/2 has its control frames.
    const sureBytes = this.#mayBeHttp2 ? laterResponseBytes : 0;
    if (this.#sureResponseSeen && textBytes > sureBytes) this.#lastSureAtMs = later(this.#lastSureAtMs, atMs);
    const endsStream = textBytes % emptyFrameBytes === 0 && this.#lastLikelyAtMs !== null;
    if (textBytes > longestControlBytes || endsStream || !this.#mayBeHttp2) {
      this.#lastLikelyAtMs = later(this.#lastLikelyAtMs, atMs);
    }
  }
}

/** Records come in the order of the stream: one that was lost and sent again arrives after those behind it. */
function later(before: number | null, atMs: number): number {
  return before === null ? atMs : Math.max(before, atMs);
}
