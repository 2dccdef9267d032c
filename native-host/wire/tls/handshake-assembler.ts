import { ByteAccumulator } from '../byte-accumulator.ts';
import type { Span } from '../stream-sink.ts';

/** Handshake message types, RFC 8446 section 4. */
export const handshakeType = {
  clientHello: 1,
  serverHello: 2,
  newSessionTicket: 4,
  endOfEarlyData: 5,
  encryptedExtensions: 8,
  certificate: 11,
  finished: 20,
  keyUpdate: 24,
} as const;

/** The messages whose bodies are read; the rest (certificates above all) are passed over by their length. */
const read: ReadonlySet<number> = new Set([
  handshakeType.clientHello,
  handshakeType.serverHello,
  handshakeType.encryptedExtensions,
]);

/** Longest body kept; post-quantum ClientHellos with Encrypted ClientHello are about 3,000 bytes. */
const maxBodyBytes = 2 ** 16;

const headerBytes = 4;

/**
 * @param body without its four-byte header, valid during the call; empty for messages that are not read
 * @param span of the packets that carried the message
 */
export type HandshakeListener = (type: number, body: Uint8Array, span: Span) => void;

/** Puts one direction's handshake messages together from records or CRYPTO frames that cut them anywhere. */
export class HandshakeAssembler {
  readonly #listener: HandshakeListener;
  readonly #header = new Uint8Array(headerBytes);
  #headerFilled = 0;
  readonly #body = new ByteAccumulator();
  #bodyBytes = 0;
  #bodyFilled = 0;
  #kept = false;
  #firstAtMs = Infinity;
  #lastAtMs = -Infinity;
  #deliveredAtMs = -Infinity;

  constructor(listener: HandshakeListener) {
    this.#listener = listener;
  }

  /** The next bytes, in order. */
  push(bytes: Uint8Array, span: Span): void {
    let at = 0;
    while (at < bytes.length) {
      this.#firstAtMs = Math.min(this.#firstAtMs, span.firstAtMs);
      this.#lastAtMs = Math.max(this.#lastAtMs, span.lastAtMs);
      this.#deliveredAtMs = Math.max(this.#deliveredAtMs, span.deliveredAtMs);
      if (this.#headerFilled < headerBytes) {
        this.#header[this.#headerFilled++] = bytes[at++]!;
        if (this.#headerFilled === headerBytes) this.#begin();
      } else {
        const count = Math.min(bytes.length - at, this.#bodyBytes - this.#bodyFilled);
        if (this.#kept) this.#body.append(bytes.subarray(at, at + count));
        this.#bodyFilled += count;
        at += count;
      }
      if (this.#headerFilled === headerBytes && this.#bodyFilled === this.#bodyBytes) this.#finish();
    }
  }

  /** Forgets the message begun: bytes of it are missing, or the keys have changed. */
  reset(): void {
    this.#headerFilled = 0;
    this.#bodyBytes = 0;
    this.#bodyFilled = 0;
    this.#body.clear();
    this.#firstAtMs = Infinity;
    this.#lastAtMs = -Infinity;
    this.#deliveredAtMs = -Infinity;
  }

  #begin(): void {
    const [type = 0, high = 0, middle = 0, low = 0] = this.#header;
    this.#bodyBytes = (high << 16) | (middle << 8) | low;
    this.#kept = read.has(type) && this.#bodyBytes <= maxBodyBytes;
  }

  #finish(): void {
    const type = this.#header[0]!;
    const body = this.#body.bytes;
    const span = {
      firstAtMs: this.#firstAtMs,
      lastAtMs: this.#lastAtMs,
      deliveredAtMs: this.#deliveredAtMs,
    };
    this.reset();
    this.#listener(type, body, span);
  }
}
