import { HeldMemory } from '../held-memory.ts';
import type { ByteSink, Direction } from '../stream-sink.ts';
import { FirstFlight } from './first-flight.ts';
import { RttSeries } from '../rtt-series.ts';
import type { TcpCounts } from './tcp-counts.ts';
import { tcpFlag, type Segment } from './segment.ts';
import { TcpHalf } from './tcp-half.ts';

/** Client segments whose ACK is waited for at once; more are not timed. */
const maxTimed = 256;

/** Bytes of the timestamps option with its padding, taken from every segment's payload (RFC 7323 appendix A). */
const timestampsBytes = 12;

/** Linux takes no smaller one (TCP_MIN_MSS). */
const leastSegmentBytes = 88;

interface TimedSegment {
  readonly end: number;
  readonly atMs: number;
}

/** One TCP connection: what its packets say of it, and its bytes in order for whoever reads them. */
export class TcpFlow {
  readonly up: TcpHalf;
  readonly down: TcpHalf;
  readonly firstFlight = new FirstFlight();
  /** From the last SYN before it to the SYN-ACK, ms; null when either was not seen. */
  handshakeRttMs: number | null = null;
  /** Sequence number of the SYN; a SYN with another one begins another connection. */
  synSequence: number | null = null;
  /** Which end has sent FIN or RST: no new bytes of it will come. */
  readonly ended: Record<Direction, boolean> = { up: false, down: false };

  #ackRtt = new RttSeries();
  /** Under load a handshake can take several times the path's round trip. */
  #leastRttMs: number | null = null;
  /** ACKs by the client that repeat the one before, with nothing new (RFC 5681 section 2). */
  #duplicateAcksUp = 0;
  #synAtMs: number | null = null;
  #maximumSegmentSizes: number[] = [];
  #timestamps = true;
  #timed: TimedSegment[] = [];
  #lastAckUp: number | null = null;
  #lastWindowUp = 0;

  /** @param memory shared by all connections of the capture */
  constructor(memory = new HeldMemory()) {
    this.up = new TcpHalf('up', memory);
    this.down = new TcpHalf('down', memory);
  }

  /** Reads both directions from now on; null stops reading. */
  set sink(sink: ByteSink | null) {
    this.up.sink = sink;
    this.down.sink = sink;
  }

  /** Payload bytes of a full segment as the two SYNs agreed; null when one was not seen, or cannot be meant. */
  get segmentBytes(): number | null {
    if (this.#maximumSegmentSizes.length < 2) return null;
    const agreed = Math.min(...this.#maximumSegmentSizes);
    return agreed < leastSegmentBytes ? null : agreed - (this.#timestamps ? timestampsBytes : 0);
  }

  /** One segment, in the order of the capture. */
  segment(direction: Direction, segment: Segment, atMs: number): void {
    const { flags } = segment;
    if ((flags & tcpFlag.syn) !== 0) this.#syn(direction, segment, atMs);
    if ((flags & (tcpFlag.fin | tcpFlag.rst)) !== 0) this.ended[direction] = true;
    if (segment.payloadBytes > 0) this.#payload(direction, segment, atMs);
    if ((flags & tcpFlag.fin) !== 0) {
      const half = direction === 'up' ? this.up : this.down;
      half.end((segment.sequence + segment.payloadBytes) | 0, atMs);
    }
    if ((flags & tcpFlag.ack) !== 0) this.#acknowledge(direction, segment, atMs);
  }

  /** Counts since the last call, or since the beginning. */
  takeCounts(): TcpCounts {
    const { up, down } = this;
    const counts = {
      retransmissionsDown: down.retransmissions,
      retransmissionsUp: up.retransmissions,
      outOfOrderDown: down.outOfOrder,
      outOfOrderUp: up.outOfOrder,
      duplicateAcksUp: this.#duplicateAcksUp,
      maxBytesInFlightDown: down.maxBytesInFlight,
      initialWindowPackets: this.firstFlight.takePackets(),
      ackRtt: this.#ackRtt.summary(),
    };
    down.retransmissions = up.retransmissions = down.outOfOrder = up.outOfOrder = 0;
    down.maxBytesInFlight = 0;
    this.#duplicateAcksUp = 0;
    this.#ackRtt = new RttSeries();
    return counts;
  }

  /** The capture has ended. */
  flush(): void {
    this.up.flush();
    this.down.flush();
  }

  #syn(direction: Direction, segment: Segment, atMs: number): void {
    const half = direction === 'up' ? this.up : this.down;
    const first = !half.started;
    if (first) {
      half.start((segment.sequence + 1) | 0);
      if (segment.maximumSegmentSize !== null) this.#maximumSegmentSizes.push(segment.maximumSegmentSize);
      this.#timestamps &&= segment.timestamps;
    }
    if (direction === 'up') {
      this.synSequence = segment.sequence;
      this.#synAtMs = atMs;
    } else if (first && this.#synAtMs !== null && atMs >= this.#synAtMs) {
      this.handshakeRttMs = this.#leastRttMs = atMs - this.#synAtMs;
    }
  }

  #payload(direction: Direction, segment: Segment, atMs: number): void {
    const half = direction === 'up' ? this.up : this.down;
    // Data on a SYN (TCP Fast Open, RFC 7413) comes after the SYN's own number.
    const sequence = (segment.sequence + ((segment.flags & tcpFlag.syn) === 0 ? 0 : 1)) | 0;
    const end = (sequence + segment.payloadBytes) | 0;
    if (direction === 'down') {
      this.firstFlight.payload(end, segment.payloadBytes, this.segmentBytes, atMs);
    } else if (half.isOld(sequence)) {
      // Nobody can tell which copy an ACK of a resent segment answers (Karn's rule, RFC 6298 section 3).
      this.#timed.length = 0;
    } else if (this.#timed.length < maxTimed) {
      this.#timed.push({ end, atMs });
    }
    half.segment(
      sequence,
      segment.bytes,
      segment.payloadAt,
      segment.payloadCapturedEnd,
      segment.payloadBytes,
      atMs,
      this.#leastRttMs,
    );
  }

  #acknowledge(direction: Direction, segment: Segment, atMs: number): void {
    const { acknowledgement } = segment;
    if (direction === 'down') {
      if (this.#timed.length > 0) this.#timeAck(acknowledgement, atMs);
      this.up.acknowledge(acknowledgement);
      return;
    }
    if (
      acknowledgement === this.#lastAckUp &&
      segment.window === this.#lastWindowUp &&
      segment.payloadBytes === 0 &&
      segment.sequence === this.up.newest &&
      (segment.flags & (tcpFlag.syn | tcpFlag.fin | tcpFlag.rst)) === 0
    ) {
      this.#duplicateAcksUp += 1;
    }
    this.#lastAckUp = acknowledgement;
    this.#lastWindowUp = segment.window;
    this.firstFlight.acknowledge(acknowledgement, atMs);
    this.down.acknowledge(acknowledgement);
  }

  #addRtt(rttMs: number): void {
    this.#ackRtt.add(rttMs);
    this.#leastRttMs = Math.min(rttMs, this.#leastRttMs ?? rttMs);
  }

  /** One sample per ACK: from the newest segment that it covers. */
  #timeAck(acknowledgement: number, atMs: number): void {
    let newest: TimedSegment | undefined;
    let covered = 0;
    for (const timed of this.#timed) {
      if (((acknowledgement - timed.end) | 0) < 0) break;
      newest = timed;
      covered += 1;
    }
    if (newest === undefined) return;
    this.#timed.splice(0, covered);
    if (atMs >= newest.atMs) this.#addRtt(atMs - newest.atMs);
  }
}
