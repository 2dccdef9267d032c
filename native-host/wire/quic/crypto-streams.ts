import { HandshakeAssembler, type HandshakeListener } from '../tls/handshake-assembler.ts';
import type { EncryptionLevel } from './encryption-level.ts';
import { StreamAssembler } from './stream-assembler.ts';

/** Most handshake bytes held back behind a hole; a whole handshake is a few thousand. */
const maxHeldBytes = 2 ** 18;

/** The handshake messages of one direction, from CRYPTO frames in any order, a stream per level (RFC 9000 section 7). */
export class CryptoStreams {
  readonly #listener: HandshakeListener;
  readonly #streams = new Map<EncryptionLevel, StreamAssembler>();

  constructor(listener: HandshakeListener) {
    this.#listener = listener;
  }

  add(level: EncryptionLevel, offset: number, bytes: Uint8Array, atMs: number): void {
    let stream = this.#streams.get(level);
    if (stream === undefined) {
      const messages = new HandshakeAssembler(this.#listener);
      stream = new StreamAssembler((_offset, piece, _fin, span) => {
        messages.push(piece, span);
      });
      this.#streams.set(level, stream);
    }
    if (stream.heldBytes + bytes.length <= maxHeldBytes) stream.add(offset, bytes, false, atMs);
  }

  /** The handshake begins anew, its offsets at 0: after a Retry or a version negotiation. */
  reset(): void {
    this.#streams.clear();
  }
}
