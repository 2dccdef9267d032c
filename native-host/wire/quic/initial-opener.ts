import type { Direction } from '../stream-sink.ts';
import type { LongHeader } from './long-header.ts';
import { PacketKeys, type OpenedPacket } from './packet-keys.ts';
import type { QuicVersion } from './quic-version.ts';
import { isRetryGenuine } from './retry-integrity.ts';

/** Most connection IDs for which keys are worked out: one, and one more per Retry or new attempt. */
const maxDestinations = 16;

/**
 * Opens Initial packets. Their keys come from the connection ID that the client made up for its first one, or
 * that a Retry told it to use, and stay the same when the server has named its own (RFC 9001 section 5.2).
 */
export class InitialOpener {
  /** Newest first. */
  #destinations: readonly Uint8Array[] = [];
  readonly #keys = new Map<string, { up: PacketKeys; down: PacketKeys }>();
  readonly #largest: Record<Direction, number> = { up: -1, down: -1 };

  /** Where the client sent its very first Initial to; null before that. */
  get original(): Uint8Array | null {
    return this.#destinations.at(-1) ?? null;
  }

  /** The client sends there, and the server has not yet said that it is called so. */
  addDestination(destination: Uint8Array): void {
    const known = this.#destinations;
    if (known.length >= maxDestinations) return;
    if (known.some((other) => Buffer.compare(other, destination) === 0)) return;
    this.#destinations = [Uint8Array.from(destination), ...known];
  }

  /** @returns false for a Retry that does not answer this client's Initial: it changes nothing */
  takeRetry(datagram: Uint8Array, at: number, header: LongHeader): boolean {
    const newest = this.#destinations[0];
    if (newest === undefined || !isRetryGenuine(datagram, at, header, newest)) return false;
    this.addDestination(header.source);
    return true;
  }

  open(direction: Direction, datagram: Uint8Array, at: number, header: LongHeader): OpenedPacket | null {
    for (const destination of this.#destinations) {
      const keys = this.#keysFor(header.version, destination)[direction];
      const opened = keys.open(datagram, at, header.numberAt, header.end, this.#largest[direction]);
      if (opened === null) continue;
      this.#largest[direction] = Math.max(this.#largest[direction], opened.number);
      return opened;
    }
    return null;
  }

  #keysFor(version: QuicVersion, destination: Uint8Array): { up: PacketKeys; down: PacketKeys } {
    const name = `${version.name} ${Buffer.from(destination).toString('hex')}`;
    let keys = this.#keys.get(name);
    if (keys === undefined) {
      keys = PacketKeys.initial(version, destination);
      this.#keys.set(name, keys);
    }
    return keys;
  }
}
