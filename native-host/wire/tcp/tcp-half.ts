import { HeldMemory } from '../held-memory.ts';
import type { ByteSink, Direction } from '../stream-sink.ts';
import { HeldPieces, type SequenceRange } from './held-pieces.ts';

/**
 * A hole whose bytes the receiver has acknowledged was missed by the capture, and will not be filled. A
 * capture may show an ACK some packets before the data it acknowledges, so this many packets are waited for.
 */
const packetsAfterAcknowledgement = 64;

/** How long a hole may stand and still be filled by a packet that was overtaken, when no round trip is known. */
const assumedRoundTripMs = 3;

/** Round trips vary a little; what was sent again comes one of them after the hole was seen, at least. */
const roundTripShare = 0.9;

/**
 * The bytes one end of a TCP connection sends: put in order, and what went wrong with them counted.
 *
 * Memory: what came after a hole is held, within the bounds of {@link HeldPieces}; beyond them the oldest hole is
 * given up. Nothing else grows with the stream.
 *
 * A segment with payload that begins before the newest byte is either a retransmission or out of order; which
 * of the two, a capture shows in most cases only. Wireshark finds the same segments, and the sum of both counts
 * is its sum (`tcp.analysis.retransmission` and `tcp.analysis.out_of_order`), but its names differ: there, a
 * segment is out of order when it comes within the handshake's RTT of the newest segment and is not the first
 * that three equal ACKs ask for (packet-tcp.c, tcp_analyze_sequence_number; the rule has changed between its
 * versions). While new data keeps coming that holds for nearly all that SACK (RFC 2018, RFC 6675) repairs. Here
 * it goes by the age of the hole instead: no sender can know of a loss, and repair it, in less than a round trip.
 */
export class TcpHalf {
  /** Payload bytes sent, each counted once. */
  uniqueBytes = 0;
  /**
   * Segments with payload that was seen before, or that fill a hole so late that the receiver's word of it
   * had time to reach the sender and be answered: one round trip after the hole was first seen.
   */
  retransmissions = 0;
  /** Segments that fill a hole soon enough to have been overtaken. */
  outOfOrder = 0;
  /** Bytes that were sent but are not in the capture. */
  missedBytes = 0;
  maxBytesInFlight = 0;
  /** Whether the sequence number of the first byte is known: from a SYN, or from the first segment seen. */
  started = false;
  /** Highest sequence number sent, and when it was first seen. */
  newest = 0;
  newestAtMs = 0;
  /** Who reads the bytes; null when nobody does, and then none are kept. */
  sink: ByteSink | null = null;

  readonly #direction: Direction;
  /** Sequence number of the next byte in order. */
  #next = 0;
  readonly #held: HeldPieces;
  /** Highest sequence number the other end has acknowledged. */
  #acknowledged = 0;
  #hasAcknowledged = false;
  /** Where a FIN said that the stream ends, and when it was first seen. */
  #fin: { sequence: number; atMs: number } | null = null;
  #patience = packetsAfterAcknowledgement;

  /** @param memory shared by all connections of the capture */
  constructor(direction: Direction, memory = new HeldMemory()) {
    this.#direction = direction;
    this.#held = new HeldPieces(memory);
  }

  /** Bytes are missing before some that have come: what was handed on is not all there is. */
  get hasHole(): boolean {
    return this.#held.count > 0;
  }

  /** @param sequence of the first byte to come */
  start(sequence: number): void {
    this.started = true;
    this.#next = sequence;
    this.newest = sequence;
  }

  /** Whether a segment brings only bytes at or before the newest: sent again, or late. */
  isOld(sequence: number): boolean {
    return this.started && ((sequence - this.newest) | 0) < 0;
  }

  /**
   * One segment with payload.
   *
   * @param captured what the capture holds of the payload
   * @param payloadBytes what was sent
   * @param rttMs the least round trip known; null when none is
   */
  segment(
    sequence: number,
    bytes: Uint8Array,
    at: number,
    capturedEnd: number,
    payloadBytes: number,
    atMs: number,
    rttMs: number | null,
  ): void {
    if (!this.started) this.start(sequence);
    const end = (sequence + payloadBytes) | 0;
    const ahead = (sequence - this.#next) | 0;
    if (ahead === 0 && this.#held.count === 0 && this.#fin === null) {
      this.#next = end;
      this.newest = end;
      this.newestAtMs = atMs;
      this.uniqueBytes += payloadBytes;
      this.#countInFlight();
      this.#deliver(bytes, at, capturedEnd, payloadBytes, atMs, atMs);
      return;
    }
    this.#outOfLine(sequence, end, bytes, at, capturedEnd, atMs, rttMs ?? assumedRoundTripMs);
  }

  /** A FIN stands at `sequence`, behind the last byte: what is seen after it was overtaken, or is sent again. */
  end(sequence: number, atMs: number): void {
    this.#fin ??= { sequence, atMs };
  }

  /** The other end acknowledges everything before `sequence`. */
  acknowledge(sequence: number): void {
    if (!this.#hasAcknowledged || ((sequence - this.#acknowledged) | 0) > 0) {
      this.#acknowledged = sequence;
      this.#hasAcknowledged = true;
    }
    if (this.#held.count === 0) return;
    const holeAcknowledged = ((this.#acknowledged - this.#next) | 0) > 0;
    if (!holeAcknowledged) this.#patience = packetsAfterAcknowledgement;
    else if (--this.#patience <= 0) this.#giveUpHoles(this.#held.count - 1);
  }

  /** No more will come: what waits behind holes is given on, each hole as a gap. */
  flush(): void {
    this.#giveUpHoles(0);
  }

  /** Segments behind a hole, into a hole, or seen before. */
  #outOfLine(
    sequence: number,
    end: number,
    bytes: Uint8Array,
    at: number,
    capturedEnd: number,
    atMs: number,
    rttMs: number,
  ): void {
    const advances = ((end - this.newest) | 0) > 0;
    const segment = { start: sequence, end };
    const fresh = this.#held.freshParts(this.#next, segment);
    const beforeFin = this.#fin !== null && ((sequence - this.#fin.sequence) | 0) < 0;
    if (beforeFin || ((sequence - this.newest) | 0) < 0) {
      const freshBytes = fresh.reduce((sum, part) => sum + ((part.end - part.start) | 0), 0);
      // One byte at the very end is a keep-alive probe (RFC 9293 section 3.8.4), not lost data.
      if (((end - sequence) | 0) === 1 && end === this.newest && freshBytes === 0) return;
      const seenBefore = freshBytes < ((end - sequence) | 0);
      const holeSeenAtMs = this.#firstSignOf(segment);
      if (seenBefore || atMs - holeSeenAtMs >= roundTripShare * rttMs) this.retransmissions += 1;
      else this.outOfOrder += 1;
    }
    if (advances) {
      this.newest = end;
      this.newestAtMs = atMs;
      this.#countInFlight();
    }
    for (const part of fresh) {
      const from = at + ((part.start - sequence) | 0);
      const to = Math.min(capturedEnd, at + ((part.end - sequence) | 0));
      this.#hold(part, bytes.subarray(Math.min(from, to), to), atMs);
    }
    this.#forget(this.#deliverInOrder(0, atMs));
  }

  /** When that came first which showed that the bytes of a segment are missing: bytes behind them, or the FIN. */
  #firstSignOf({ start, end }: SequenceRange): number {
    const newestAtMs = ((start - this.newest) | 0) < 0 ? this.newestAtMs : Infinity;
    return Math.min(newestAtMs, this.#held.firstArrivalFrom(end), this.#fin?.atMs ?? Infinity);
  }

  #hold({ start, end }: SequenceRange, captured: Uint8Array, arrivedAtMs: number): void {
    // Not slice: a Buffer's is a view, and what it shows is overwritten by the next packets.
    const bytes = this.sink === null ? null : Uint8Array.from(captured);
    this.#held.add({ start, end, bytes, arrivedAtMs });
    this.uniqueBytes += (end - start) | 0;
    const { piecesTooMany } = this.#held;
    if (piecesTooMany > 0) this.#giveUpHoles(this.#held.count - piecesTooMany);
  }

  /** Gives on the held pieces from `index` on that follow each other. @returns the index of the first left */
  #deliverInOrder(index: number, atMs: number): number {
    let at = index;
    for (let piece = this.#held.at(at); piece?.start === this.#next; piece = this.#held.at(at)) {
      const { bytes, start, end, arrivedAtMs } = piece;
      this.#next = end;
      at += 1;
      if (bytes !== null) this.#deliver(bytes, 0, bytes.length, (end - start) | 0, arrivedAtMs, atMs);
    }
    return at;
  }

  /** Lets go of what was given on. */
  #forget(delivered: number): void {
    if (delivered === 0) return;
    this.#held.drop(delivered);
    this.#patience = packetsAfterAcknowledgement;
  }

  /** Gives on what is held, the oldest first, each hole before it as a gap, until no more pieces are left. */
  #giveUpHoles(mostPieces: number): void {
    let done = 0;
    while (this.#held.count - done > mostPieces) {
      const first = this.#held.at(done)!;
      const missing = (first.start - this.#next) | 0;
      if (missing > 0) {
        this.missedBytes += missing;
        this.#next = first.start;
        this.sink?.onGap(this.#direction, missing, first.arrivedAtMs);
      }
      done = this.#deliverInOrder(done, this.newestAtMs);
    }
    this.#forget(done);
  }

  #deliver(
    bytes: Uint8Array,
    at: number,
    capturedEnd: number,
    payloadBytes: number,
    arrivedAtMs: number,
    deliveredAtMs: number,
  ): void {
    const { sink } = this;
    if (sink === null) return;
    const capturedBytes = Math.max(0, Math.min(payloadBytes, capturedEnd - at));
    if (capturedBytes > 0) {
      sink.onBytes(this.#direction, bytes.subarray(at, at + capturedBytes), arrivedAtMs, deliveredAtMs);
    }
    if (capturedBytes < payloadBytes) {
      this.missedBytes += payloadBytes - capturedBytes;
      sink.onGap(this.#direction, payloadBytes - capturedBytes, arrivedAtMs);
    }
  }

  #countInFlight(): void {
    if (!this.#hasAcknowledged) return;
    const inFlight = (this.newest - this.#acknowledged) | 0;
    if (inFlight > this.maxBytesInFlight) this.maxBytesInFlight = inFlight;
  }
}
