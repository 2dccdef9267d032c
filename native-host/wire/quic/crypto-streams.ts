import type { HeldMemory } from '../held-memory.ts';
import { HandshakeAssembler, type HandshakeListener } from '../tls/handshake-assembler.ts';
import type { EncryptionLevel } from './encryption-level.ts';
import { StreamAssembler } from './stream-assembler.ts';

/** Most held back behind holes of one level, overhead included; a whole handshake is a few thousand bytes. */
const maxHeldBytes = 2 ** 18;

/** The handshake messages of one direction, from CRYPTO frames in any order, a stream per level (RFC 9000 section 7). */
export class CryptoStreams {
  readonly #memory: HeldMemory;
  readonly #listener: HandshakeListener;
  readonly #streams = new Map<EncryptionLevel, StreamAssembler>();

  /** @param memory shared by all connections of the capture */
  constructor(memory: HeldMemory, listener: HandshakeListener) {
    this.#memory = memory;
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
    const mayHold = !this.#memory.isFull && stream.heldBytes + bytes.length <= maxHeldBytes;
    if (!mayHold && offset > stream.nextOffset) return;
    const heldBefore = stream.heldBytes;
    stream.add(offset, bytes, false, atMs);
    this.#memory.take(stream.heldBytes - heldBefore);
  }

  /** The handshake begins anew, its offsets at 0: after a Retry or a version negotiation. */
  reset(): void {
    for (const stream of this.#streams.values()) this.#memory.giveBack(stream.heldBytes);
    this.#streams.clear();
  }
}
