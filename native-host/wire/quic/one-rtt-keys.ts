import type { OpenedPacket, PacketKeys } from './packet-keys.ts';

/**
 * The 1-RTT keys of one direction through their updates, RFC 9001 section 6. The key phase bit only says
 * "the other one", so the tag tells whether that is the key before or the key after.
 */
export class OneRttKeys {
  /** Updates seen. */
  updates = 0;

  #previous: PacketKeys | null = null;
  #current: PacketKeys;
  #next: PacketKeys | null = null;
  #phase: 0 | 1 = 0;

  constructor(first: PacketKeys) {
    this.#current = first;
  }

  /** As {@link open}, with the keys of the packet before: for many tries at a packet whose end is not known. */
  openUnchanged(packet: Uint8Array, numberAt: number, largest: number): OpenedPacket | null {
    return this.#current.open(packet, 0, numberAt, packet.length, largest);
  }

  /**
   * @param packet from its first byte to its last
   * @param numberAt where its packet number begins
   * @param largest packet number so far, -1 before the first
   */
  open(packet: Uint8Array, numberAt: number, largest: number): OpenedPacket | null {
    const end = packet.length;
    const opened = this.#current.open(packet, 0, numberAt, end, largest);
    if (opened !== null) return opened;
    const previous = this.#previous?.open(packet, 0, numberAt, end, largest) ?? null;
    if (previous !== null) return previous;
    this.#next ??= this.#current.next();
    const next = this.#next.open(packet, 0, numberAt, end, largest);
    if (next === null || next.keyPhase === this.#phase) return null;
    this.#previous = this.#current;
    this.#current = this.#next;
    this.#next = null;
    this.#phase = next.keyPhase;
    this.updates += 1;
    return next;
  }
}
