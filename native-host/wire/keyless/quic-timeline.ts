import type { Direction, QuicSink } from '../stream-sink.ts';
import type { Estimate, KeylessEstimates } from './estimate.ts';

/** A client's 1-RTT packet up to this length acknowledges, or opens and closes; a request is longer. */
const longestControlBytes = 60;

/** Up to this length a client's packet may hold its control streams only (Chromium's SETTINGS: 70 bytes). */
const longestSettingsBytes = 120;

/** Up to this length a server's packet may hold acknowledgements and flow control only. */
const longestServerControlBytes = 60;

/** A server's packet longer than this, after the first request, carries its streams. */
const surelyResponseBytes = 200;

/** Every server fills its first datagrams up to this at least, RFC 9000 section 14.1. */
const leastFullDatagramBytes = 1200;

/** A request may lie in several packets; those of one go out together. */
const longestPauseWithinRequestMs = 1;

/** How long after a long packet the rest of a response may come. */
const longestPauseWithinFlightMs = 2;

/**
 * A server that waits for acknowledgements sends again what it sent last, in one or two datagrams (a probe, RFC 9002
 * section 6.2.4), though it may have arrived. It waits at least for the 25 ms (RFC 9000 section 18.2) that a client
 * may hold an acknowledgement back; less than these by what packets bunch on the way.
 */
const leastProbeTimeoutMs = 20;
const mostProbes = 2;

/** First client packets remembered; a request not among them is no first request. */
const maxRemembered = 64;

interface SentPacket {
  readonly atMs: number;
  readonly lengthBytes: number;
}

/**
 * Reads the first request and the last response of a QUIC connection from the lengths of its packets alone.
 *
 * First request: the first client 0-RTT packet, or 1-RTT packet that is longer than an acknowledgement; where
 * that one is short enough for SETTINGS only, the next that is longer. It cannot have been before the client's
 * first such packet of any length, nor after the last that went out together with the one chosen.
 *
 * Last response: the last server 1-RTT packet longer than acknowledgements and flow control that does not
 * probe the path's MTU (such a probe is the longest datagram so far, and the first of its length). One that is
 * not long counts only behind a long one, or when the client has asked for more since. It cannot have been
 * before the last long packet that is surely no probe of what has arrived, nor after the last 1-RTT packet at all.
 */
export class QuicTimeline {
  #sent: SentPacket[] = [];
  #asked = false;
  #heardSinceLong = false;
  #longestDownBytes = 0;
  #isProbe = false;
  #lastLongAtMs: number | null = null;
  #lastSureAtMs: number | null = null;
  /** Long packets since the last pause in which the server may have waited for acknowledgements only. */
  #longSincePause = Infinity;
  #firstDownAtMs: number | null = null;
  #lastLikelyAtMs: number | null = null;
  #lastAnyAtMs: number | null = null;

  /** A datagram begins, whose packets follow. @param payloadBytes of UDP, as sent */
  datagram(direction: Direction, payloadBytes: number): void {
    if (direction === 'up') return;
    const longest = this.#longestDownBytes;
    this.#isProbe = longest >= leastFullDatagramBytes && payloadBytes > longest;
    this.#longestDownBytes = Math.max(longest, payloadBytes);
  }

  packet(
    direction: Direction,
    form: Parameters<QuicSink['onPacket']>[1],
    lengthBytes: number,
    atMs: number,
  ): void {
    if (form === '0-rtt' || (form === 'short' && direction === 'up')) this.#up(lengthBytes, atMs);
    else if (form === 'short') this.#down(lengthBytes, atMs);
  }

  /** The estimates, and a fresh start for the next page load on the same connection. */
  take(): KeylessEstimates {
    const estimates = { firstRequest: this.#firstRequest(), lastResponse: this.#lastResponse() };
    this.#sent = [];
    this.#asked = false;
    this.#heardSinceLong = false;
    this.#firstDownAtMs = null;
    this.#lastLongAtMs = null;
    this.#lastSureAtMs = null;
    this.#longSincePause = Infinity;
    this.#lastLikelyAtMs = null;
    this.#lastAnyAtMs = null;
    return estimates;
  }

  #firstRequest(): Estimate | null {
    const [first] = this.#sent;
    const longer = (bytes: number): number => this.#sent.findIndex((packet) => packet.lengthBytes > bytes);
    const index =
      longer(longestSettingsBytes) >= 0 ? longer(longestSettingsBytes) : longer(longestControlBytes);
    const request = this.#sent[index];
    if (first === undefined || request === undefined) return null;
    let latestMs = request.atMs;
    for (const { atMs } of this.#sent.slice(index + 1)) {
      if (atMs - latestMs <= longestPauseWithinRequestMs) latestMs = Math.max(latestMs, atMs);
    }
    return { atMs: request.atMs, earliestMs: first.atMs, latestMs };
  }

  #lastResponse(): Estimate | null {
    const atMs = this.#lastLikelyAtMs;
    if (atMs === null) return null;
    return {
      atMs,
      // Without a long packet, it can be any of the server's after the first request.
      earliestMs: this.#lastSureAtMs ?? this.#firstDownAtMs ?? atMs,
      latestMs: this.#lastAnyAtMs ?? atMs,
    };
  }

  #up(lengthBytes: number, atMs: number): void {
    this.#asked ||= lengthBytes > longestControlBytes;
    this.#heardSinceLong = true;
    if (this.#sent.length < maxRemembered) this.#sent.push({ atMs, lengthBytes });
  }

  #down(lengthBytes: number, atMs: number): void {
    if (this.#sent.length === 0) return;
    this.#firstDownAtMs ??= atMs;
    this.#lastAnyAtMs = atMs;
    if (this.#isProbe || lengthBytes <= longestServerControlBytes) return;
    if (lengthBytes > surelyResponseBytes) {
      const pauseMs = this.#lastLongAtMs === null ? 0 : atMs - this.#lastLongAtMs;
      this.#longSincePause = pauseMs >= leastProbeTimeoutMs && !this.#asked ? 1 : this.#longSincePause + 1;
      if (this.#longSincePause > mostProbes) this.#lastSureAtMs = atMs;
      this.#lastLongAtMs = this.#lastLikelyAtMs = atMs;
      this.#asked = this.#heardSinceLong = false;
      return;
    }
    const behindLong =
      this.#lastLongAtMs !== null &&
      (!this.#heardSinceLong || atMs - this.#lastLongAtMs <= longestPauseWithinFlightMs);
    if (behindLong || this.#asked) this.#lastLikelyAtMs = atMs;
  }
}
