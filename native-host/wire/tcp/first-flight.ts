/**
 * A response cannot come sooner than one round trip after its request, nor an ACK have effect sooner; packets
 * of the same round trip may come a little early.
 */
const roundTripShare = 0.9;

/**
 * Counts the server's first flight of application data: the initial congestion window as it is seen.
 *
 * It begins with the first payload that can be the answer to the first request (one round trip after it) and
 * ends with the first payload that can have been sent on the client's ACK of the flight's first packet. On a
 * slow bottleneck the flight is stretched beyond that moment, and less than the window is seen.
 */
export class FirstFlight {
  #packets = 0;
  #rttMs: number | null = null;
  #requestAtMs: number | null = null;
  #firstEnd: number | null = null;
  #acknowledgedAtMs: number | null = null;
  #over = false;

  /** The packets counted, once; null when no answer to a request was seen, and from then on. */
  takePackets(): number | null {
    const packets = this.#packets === 0 ? null : this.#packets;
    this.#packets = 0;
    return packets;
  }

  /** The first request was sent. */
  request(atMs: number, handshakeRttMs: number | null): void {
    if (this.#requestAtMs !== null || handshakeRttMs === null) return;
    this.#requestAtMs = atMs;
    this.#rttMs = handshakeRttMs;
  }

  /** A payload packet from the server. @param segmentBytes full size of a segment; null when unknown */
  payload(endSequence: number, payloadBytes: number, segmentBytes: number | null, atMs: number): void {
    if (this.#over || this.#requestAtMs === null || this.#rttMs === null) return;
    const soonestMs = roundTripShare * this.#rttMs;
    if (atMs < this.#requestAtMs + soonestMs) return;
    if (this.#acknowledgedAtMs !== null && atMs >= this.#acknowledgedAtMs + soonestMs) {
      this.#over = true;
      return;
    }
    this.#firstEnd ??= endSequence;
    // Receive offload joins segments into one packet of up to 64 KB.
    this.#packets += segmentBytes === null ? 1 : Math.ceil(payloadBytes / segmentBytes);
  }

  /** An ACK from the client. */
  acknowledge(sequence: number, atMs: number): void {
    if (this.#over || this.#firstEnd === null || this.#acknowledgedAtMs !== null) return;
    if (((sequence - this.#firstEnd) | 0) >= 0) this.#acknowledgedAtMs = atMs;
  }
}
