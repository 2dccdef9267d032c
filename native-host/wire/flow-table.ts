import type { Packet } from './packet/packet.ts';

/** One pair of endpoints of one transport; `a` is whichever was seen sending first. */
interface Slot<Flow> {
  readonly key: number;
  readonly protocol: number;
  readonly ipVersion: number;
  readonly a0: number;
  readonly a1: number;
  readonly a2: number;
  readonly a3: number;
  readonly aPort: number;
  readonly b0: number;
  readonly b1: number;
  readonly b2: number;
  readonly b3: number;
  readonly bPort: number;
  flow: Flow;
  /** Another pair with the same hash. */
  readonly next: Slot<Flow> | null;
}

/**
 * Flows by their two endpoints, in either direction. Nothing is allocated to find one, and the flow of the
 * packet before is tried first: packets come in trains.
 */
export class FlowTable<Flow> {
  /** Whether the packet of the last {@link find} or {@link set} was sent by the endpoint that sent the first. */
  fromFirst = true;

  readonly #slots = new Map<number, Slot<Flow>>();
  #last: Slot<Flow> | null = null;

  /** The flow of a packet, or undefined when there is none yet. */
  find(packet: Packet, sourcePort: number, destinationPort: number): Flow | undefined {
    const last = this.#last;
    if (last !== null && this.#matches(last, packet, sourcePort, destinationPort)) return last.flow;
    return this.#look(packet, sourcePort, destinationPort)?.flow;
  }

  /** Stores the flow of a packet, in place of the one there was; its sender becomes the first. */
  set(packet: Packet, sourcePort: number, destinationPort: number, flow: Flow): void {
    const known = this.#look(packet, sourcePort, destinationPort);
    if (known !== null && this.fromFirst) {
      known.flow = flow;
      return;
    }
    const key = hash(packet, sourcePort, destinationPort);
    const slot: Slot<Flow> = {
      key,
      protocol: packet.protocol,
      ipVersion: packet.ipVersion,
      a0: packet.source0,
      a1: packet.source1,
      a2: packet.source2,
      a3: packet.source3,
      aPort: sourcePort,
      b0: packet.destination0,
      b1: packet.destination1,
      b2: packet.destination2,
      b3: packet.destination3,
      bPort: destinationPort,
      flow,
      next: without(this.#slots.get(key) ?? null, known),
    };
    this.#slots.set(key, slot);
    this.#last = slot;
    this.fromFirst = true;
  }

  /** Forgets flows, for a table that is filled for days. */
  remove(isGone: (flow: Flow) => boolean): void {
    this.#last = null;
    for (const [key, first] of this.#slots) {
      let kept: Slot<Flow> | null = first;
      for (let slot: Slot<Flow> | null = first; slot !== null; slot = slot.next) {
        if (isGone(slot.flow)) kept = without(kept, slot);
      }
      if (kept === null) this.#slots.delete(key);
      else if (kept !== first) this.#slots.set(key, kept);
    }
  }

  #look(packet: Packet, sourcePort: number, destinationPort: number): Slot<Flow> | null {
    let slot = this.#slots.get(hash(packet, sourcePort, destinationPort)) ?? null;
    while (slot !== null && !this.#matches(slot, packet, sourcePort, destinationPort)) slot = slot.next;
    if (slot !== null) this.#last = slot;
    return slot;
  }

  #matches(slot: Slot<Flow>, packet: Packet, sourcePort: number, destinationPort: number): boolean {
    if (slot.protocol !== packet.protocol || slot.ipVersion !== packet.ipVersion) return false;
    if (
      slot.aPort === sourcePort &&
      slot.bPort === destinationPort &&
      slot.a3 === packet.source3 &&
      slot.b3 === packet.destination3 &&
      slot.a2 === packet.source2 &&
      slot.b2 === packet.destination2 &&
      slot.a1 === packet.source1 &&
      slot.b1 === packet.destination1 &&
      slot.a0 === packet.source0 &&
      slot.b0 === packet.destination0
    ) {
      this.fromFirst = true;
      return true;
    }
    if (
      slot.bPort === sourcePort &&
      slot.aPort === destinationPort &&
      slot.b3 === packet.source3 &&
      slot.a3 === packet.destination3 &&
      slot.b2 === packet.source2 &&
      slot.a2 === packet.destination2 &&
      slot.b1 === packet.source1 &&
      slot.a1 === packet.destination1 &&
      slot.b0 === packet.source0 &&
      slot.a0 === packet.destination0
    ) {
      this.fromFirst = false;
      return true;
    }
    return false;
  }
}

/** The same for both directions; 30 bits, so that it stays a small integer. */
function hash(packet: Packet, sourcePort: number, destinationPort: number): number {
  const source = mix(packet.source0, packet.source1, packet.source2, packet.source3, sourcePort);
  const destination = mix(
    packet.destination0,
    packet.destination1,
    packet.destination2,
    packet.destination3,
    destinationPort,
  );
  return (source + destination) & 0x3fffffff;
}

function mix(w0: number, w1: number, w2: number, w3: number, port: number): number {
  let h = Math.imul(w0 ^ 0x9e3779b9, 0x85ebca6b) ^ w1;
  h = Math.imul(h, 0xc2b2ae35) ^ w2;
  h = Math.imul(h, 0x27d4eb2f) ^ w3;
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b) ^ port;
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** The chain without one of its slots. */
function without<Flow>(chain: Slot<Flow> | null, slot: Slot<Flow> | null): Slot<Flow> | null {
  if (chain === null || slot === null) return chain;
  if (chain === slot) return chain.next;
  return { ...chain, next: without(chain.next, slot) };
}
