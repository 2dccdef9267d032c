import { HeldMemory } from '../held-memory.ts';
import type { Direction, QuicSink } from '../stream-sink.ts';
import { StreamAssembler } from './stream-assembler.ts';

/** Most held back behind holes on one connection, overhead included; browsers let a server send about 15 MB ahead. */
const maxHeldBytes = 2 ** 24;

/** Most streams per direction; each request is one. */
const maxStreams = 2 ** 16;

/** Of a stream that has ended: bytes that come again are no new stream. */
const ended = null;

/** The streams of one connection, both directions. */
export class StreamTable {
  /** Streams that were not followed because there were too many. */
  ignored = 0;

  readonly #sink: QuicSink;
  readonly #memory: HeldMemory;
  readonly #streams: Record<Direction, Map<number, StreamAssembler | typeof ended>> = {
    up: new Map(),
    down: new Map(),
  };
  #heldBytes = 0;

  /** @param memory shared by all connections of the capture */
  constructor(sink: QuicSink, memory = new HeldMemory()) {
    this.#sink = sink;
    this.#memory = memory;
  }

  add(
    direction: Direction,
    streamId: number,
    offset: number,
    bytes: Uint8Array,
    fin: boolean,
    atMs: number,
  ): void {
    const streams = this.#streams[direction];
    let stream = streams.get(streamId);
    if (stream === ended) return;
    if (stream === undefined) {
      if (streams.size >= maxStreams) {
        this.ignored += 1;
        return;
      }
      stream = new StreamAssembler((at, piece, last, span) => {
        this.#sink.onStreamData(direction, streamId, at, piece, last, span);
      });
      streams.set(streamId, stream);
    }
    const heldBefore = stream.heldBytes;
    stream.add(offset, bytes, fin, atMs);
    const tooMuch = this.#heldBytes + stream.heldBytes - heldBefore > maxHeldBytes;
    if (tooMuch || this.#memory.isFull) stream.giveUp(atMs);
    this.#hold(stream.heldBytes - heldBefore);
    if (stream.done) streams.set(streamId, ended);
  }

  /** Its sender gave the stream up. */
  reset(direction: Direction, streamId: number, atMs: number): void {
    const streams = this.#streams[direction];
    const stream = streams.get(streamId);
    if (stream === ended || (stream === undefined && streams.size >= maxStreams)) return;
    this.#hold(-(stream?.heldBytes ?? 0));
    streams.set(streamId, ended);
    this.#sink.onStreamReset(direction, streamId, atMs);
  }

  /**
   * Delivers what is held behind holes that will not be filled.
   *
   * @returns whether there were any
   */
  giveUpHoles(atMs: number): boolean {
    let any = false;
    for (const streams of [this.#streams.up, this.#streams.down]) {
      for (const stream of streams.values()) {
        while (stream?.hasHoles) {
          any = true;
          stream.giveUp(atMs);
        }
      }
    }
    return any;
  }

  #hold(bytes: number): void {
    this.#heldBytes += bytes;
    this.#memory.take(bytes);
  }
}
