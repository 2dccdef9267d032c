import { RttSeries, type RttSummary } from '../rtt-series.ts';

/** Packets whose ACK is waited for at once; the oldest go first. */
const maxSent = 1024;

/**
 * Round trips of one QUIC connection by the server's ACK frames: from a client's ack-eliciting packet to the ACK
 * that first names it as the largest, less the delay that the server says it made (RFC 9002 section 5). As there,
 * the delay is taken off unless that would give less than the least round trip seen.
 *
 * Seen at the client's end, that is the path and the server. Packet numbers are never used twice, so unlike in TCP
 * a repeated frame makes no sample doubtful.
 */
export class AckRoundTrips {
  #series = new RttSeries();
  /** By packet number, in the order of sending. */
  readonly #sentAtMs = new Map<number, number>();
  #largestAcknowledged = -1;
  #leastMs = Number.POSITIVE_INFINITY;

  /** The client sent a 0-RTT or 1-RTT packet that asks for an ACK. */
  sent(number: number, atMs: number): void {
    this.#sentAtMs.set(number, atMs);
    if (this.#sentAtMs.size <= maxSent) return;
    for (const oldest of this.#sentAtMs.keys()) {
      this.#sentAtMs.delete(oldest);
      break;
    }
  }

  /** An ACK frame came in a 1-RTT packet. @param delayMs between the packet's arrival and the ACK, as the server says */
  acknowledged(largest: number, delayMs: number, atMs: number): void {
    if (largest <= this.#largestAcknowledged) return;
    this.#largestAcknowledged = largest;
    const sentAtMs = this.#sentAtMs.get(largest);
    for (const number of this.#sentAtMs.keys()) {
      if (number > largest) break;
      this.#sentAtMs.delete(number);
    }
    if (sentAtMs === undefined || atMs < sentAtMs) return;
    const wholeMs = atMs - sentAtMs;
    this.#leastMs = Math.min(this.#leastMs, wholeMs);
    this.#series.add(wholeMs - delayMs >= this.#leastMs ? wholeMs - delayMs : wholeMs);
  }

  /** Since the last call, or the beginning; null without a sample. */
  takeSummary(): RttSummary | null {
    const summary = this.#series.summary();
    this.#series = new RttSeries();
    return summary;
  }
}
