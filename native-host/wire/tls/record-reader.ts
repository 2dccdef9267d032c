import type { Span } from '../stream-sink.ts';

/** Bytes of a record's header: type, version, length. RFC 8446 section 5.1. */
export const recordHeaderBytes = 5;

/** Longest body of a record: 2^14 and, in TLS 1.2, 2,048 bytes of expansion. RFC 5246 section 6.2.3. */
const maxBodyBytes = 2 ** 14 + 2048;

/** Buffers kept for the next record that spans packets, whichever connection's it is. */
const maxSpare = 16;
const spare: Uint8Array[] = [];

/** Record types are 20 (change_cipher_spec) to 24 (heartbeat). */
const firstType = 20;
const lastType = 24;

/** Takes what a {@link RecordReader} finds, in order. */
export interface RecordReceiver {
  /**
   * @param header its five bytes, valid during the call
   * @param body valid during the call; null when part of it is not in the capture
   */
  onRecord(header: Uint8Array, body: Uint8Array | null, lengthBytes: number, span: Span): void;
  /** Bytes were passed over in which an unknown number of records may begin or end. */
  onLost(lengthBytes: number, atMs: number): void;
}

/**
 * Cuts one direction of a TCP connection into TLS records. A record that lies in one packet is handed on
 * without a copy; one that spans several is put together in a buffer, which goes back when the record is whole:
 * thousands of connections that pause between records hold none.
 *
 * Where bytes are missing it counts on through the record it is in, and when it does not know where the next
 * one begins it looks for what reads as a record header.
 */
export class RecordReader {
  /** False as soon as the first bytes are no TLS record: then nothing more is read. */
  isTls = true;

  readonly #receiver: RecordReceiver;
  readonly #header = new Uint8Array(recordHeaderBytes);
  #headerFilled = 0;
  /** Null but while a record is being put together. */
  #body: Uint8Array | null = null;
  #bodyBytes = 0;
  #bodyFilled = 0;
  #damaged = false;
  #searching = false;
  #started = false;
  #firstAtMs = Infinity;
  #lastAtMs = -Infinity;
  #deliveredAtMs = -Infinity;

  constructor(receiver: RecordReceiver) {
    this.#receiver = receiver;
  }

  push(bytes: Uint8Array, arrivedAtMs: number, deliveredAtMs: number): void {
    let at = 0;
    while (at < bytes.length && this.isTls) {
      if (this.#searching) {
        at = this.#search(bytes, at, arrivedAtMs);
        if (at === bytes.length) return;
      }
      this.#firstAtMs = Math.min(this.#firstAtMs, arrivedAtMs);
      this.#lastAtMs = Math.max(this.#lastAtMs, arrivedAtMs);
      this.#deliveredAtMs = Math.max(this.#deliveredAtMs, deliveredAtMs);
      at = this.#headerFilled < recordHeaderBytes ? this.#readHeader(bytes, at) : this.#readBody(bytes, at);
    }
  }

  /** The next `lengthBytes` are not there. */
  gap(lengthBytes: number, atMs: number): void {
    if (!this.isTls) return;
    this.#started = true;
    const missing = this.#bodyBytes - this.#bodyFilled;
    if (this.#searching || this.#headerFilled < recordHeaderBytes || lengthBytes > missing) {
      this.#receiver.onLost(lengthBytes + this.#headerFilled + this.#bodyFilled, atMs);
      this.#reset();
      this.#searching = true;
      return;
    }
    this.#damaged = true;
    this.#bodyFilled += lengthBytes;
    this.#deliveredAtMs = Math.max(this.#deliveredAtMs, atMs);
    if (this.#bodyFilled === this.#bodyBytes) this.#finish(null);
  }

  #readHeader(bytes: Uint8Array, from: number): number {
    let at = from;
    while (at < bytes.length && this.#headerFilled < recordHeaderBytes) {
      this.#header[this.#headerFilled++] = bytes[at++]!;
    }
    if (this.#headerFilled < recordHeaderBytes) return at;
    if (!readsAsHeader(this.#header, 0)) {
      if (!this.#started) this.isTls = false;
      this.#receiver.onLost(recordHeaderBytes, this.#lastAtMs);
      this.#reset();
      this.#searching = true;
      return at;
    }
    this.#started = true;
    this.#bodyBytes = (this.#header[3]! << 8) | this.#header[4]!;
    if (this.#bodyBytes === 0) this.#finish(noBytes);
    return at;
  }

  #readBody(bytes: Uint8Array, at: number): number {
    const count = Math.min(bytes.length - at, this.#bodyBytes - this.#bodyFilled);
    if (count === this.#bodyBytes) {
      this.#finish(bytes.subarray(at, at + count));
      return at + count;
    }
    if (!this.#damaged) {
      this.#body ??= spare.pop() ?? new Uint8Array(maxBodyBytes);
      this.#body.set(bytes.subarray(at, at + count), this.#bodyFilled);
    }
    this.#bodyFilled += count;
    if (this.#bodyFilled === this.#bodyBytes) {
      this.#finish(this.#damaged || this.#body === null ? null : this.#body.subarray(0, this.#bodyBytes));
    }
    return at + count;
  }

  #finish(body: Uint8Array | null): void {
    // A record wholly inside a gap, but for its header, still has that header's time.
    const span = {
      firstAtMs: this.#firstAtMs,
      lastAtMs: this.#lastAtMs,
      deliveredAtMs: this.#deliveredAtMs,
    };
    this.#receiver.onRecord(this.#header, body, this.#bodyBytes, span);
    this.#reset();
  }

  /** Passes over bytes until one of them reads as a header's first; a header cut by the packet's end is missed. */
  #search(bytes: Uint8Array, from: number, atMs: number): number {
    let at = from;
    while (at + recordHeaderBytes <= bytes.length && !beginsRecord(bytes, at)) at += 1;
    const found = at + recordHeaderBytes <= bytes.length;
    if (!found) at = bytes.length;
    if (at > from) this.#receiver.onLost(at - from, atMs);
    this.#searching = !found;
    return at;
  }

  #reset(): void {
    if (this.#body !== null && spare.length < maxSpare) spare.push(this.#body);
    this.#body = null;
    this.#headerFilled = 0;
    this.#bodyBytes = 0;
    this.#bodyFilled = 0;
    this.#damaged = false;
    this.#firstAtMs = Infinity;
    this.#lastAtMs = -Infinity;
    this.#deliveredAtMs = -Infinity;
  }
}

const noBytes = new Uint8Array(0);

function readsAsHeader(bytes: Uint8Array, at: number): boolean {
  const type = bytes[at]!;
  const length = (bytes[at + 3]! << 8) | bytes[at + 4]!;
  return (
    type >= firstType &&
    type <= lastType &&
    bytes[at + 1] === 3 &&
    bytes[at + 2]! <= 4 &&
    length <= maxBodyBytes
  );
}

/** One in five million random places reads as a header; where the next header is in sight it must read so too. */
function beginsRecord(bytes: Uint8Array, at: number): boolean {
  if (!readsAsHeader(bytes, at)) return false;
  const length = (bytes[at + 3]! << 8) | bytes[at + 4]!;
  if (length === 0) return false;
  const next = at + recordHeaderBytes + length;
  return next + recordHeaderBytes > bytes.length || readsAsHeader(bytes, next);
}
