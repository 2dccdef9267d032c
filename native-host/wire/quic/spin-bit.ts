import { RttSeries, type RttSummary } from '../rtt-series.ts';
import type { Direction } from '../stream-sink.ts';

/** Fewer turns than this show no rhythm. */
const leastTurns = 4;

/** A turn takes a round trip; one this much shorter than the handshake's was made by chance or reordering. */
const shortestShare = 0.5;

/**
 * Round trips of one QUIC connection by its latency spin bit, which needs no keys (RFC 9000 section 17.4): the
 * client turns it once per round trip, the server sends it back, so between two turns in one direction lies one
 * round trip. Where nothing is sent for a while a turn is late, so the larger samples are upper bounds.
 *
 * Endpoints need not take part: the bit then never turns, or is random. Both directions have to turn, with a rhythm
 * that the handshake's round trip allows, or there is no series.
 */
export class SpinBit {
  #series = new RttSeries();
  readonly #last: Record<Direction, { bit: number; turns: number; atMs: number | null }> = {
    up: { bit: 0, turns: 0, atMs: null },
    down: { bit: 0, turns: 0, atMs: null },
  };

  /** @param first byte of a 1-RTT packet; the bit is not covered by header protection */
  packet(direction: Direction, first: number, atMs: number): void {
    const last = this.#last[direction];
    const bit = first & 0x20;
    if (bit === last.bit) return;
    // The first turn, from 0, has none before it that it could be timed by.
    if (direction === 'down' && last.atMs !== null && atMs >= last.atMs) this.#series.add(atMs - last.atMs);
    last.bit = bit;
    last.turns += 1;
    last.atMs = atMs;
  }

  /**
   * Since the last call, or the beginning.
   *
   * @param handshakeRttMs what a round trip took at first; null when unknown
   * @returns null where the bit is not in use
   */
  takeSummary(handshakeRttMs: number | null): RttSummary | null {
    const summary = this.#series.summary();
    this.#series = new RttSeries();
    const { up, down } = this.#last;
    if (summary === null || up.turns < leastTurns || down.turns < leastTurns) return null;
    return summary.minMs >= shortestShare * (handshakeRttMs ?? 0) ? summary : null;
  }
}
