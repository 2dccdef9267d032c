/** What a fragment's own header says of it, as {@link FragmentStore.add} needs it. */
export interface FragmentedPacket {
  readonly ipVersion: 4 | 6;
  readonly protocol: number;
  readonly bytes: Uint8Array;
  readonly transportAt: number;
  readonly capturedEnd: number;
  readonly wireEnd: number;
  readonly source0: number;
  readonly source1: number;
  readonly source2: number;
  readonly source3: number;
  readonly destination0: number;
  readonly destination1: number;
  readonly destination2: number;
  readonly destination3: number;
}

interface Datagram {
  readonly pieces: { offset: number; bytes: Uint8Array }[];
  /** Known once the last fragment has come. */
  totalBytes: number | null;
}

/** Datagrams waited for at once; the oldest goes first. At 64 KB each this bounds the memory. */
const maxDatagrams = 64;
const maxDatagramBytes = 65_535;
/** More pieces than a 64 KB datagram has at the smallest link MTU of IPv6. */
const maxPieces = 64;

/** Puts IP fragments together again (RFC 791 section 3.2, RFC 8200 section 4.5), in bounded memory. */
export class FragmentStore {
  readonly #datagrams = new Map<string, Datagram>();

  /**
   * @param offset of this fragment's payload in the datagram, bytes
   * @param more whether further fragments follow this one
   * @returns the whole payload once every piece is there, in memory of its own, else null
   */
  add(packet: FragmentedPacket, identification: number, offset: number, more: boolean): Uint8Array | null {
    const length = packet.wireEnd - packet.transportAt;
    // A fragment cut by the snap length can make nothing whole.
    if (packet.capturedEnd < packet.wireEnd || length <= 0 || offset + length > maxDatagramBytes) return null;

    const key = keyOf(packet, identification);
    let datagram = this.#datagrams.get(key);
    if (datagram === undefined) {
      datagram = { pieces: [], totalBytes: null };
      this.#datagrams.set(key, datagram);
      this.#forgetOldest();
    }
    const { pieces } = datagram;
    if (pieces.length >= maxPieces) return null;
    if (!pieces.some((piece) => piece.offset === offset)) {
      pieces.push({
        offset,
        bytes: Uint8Array.prototype.slice.call(packet.bytes, packet.transportAt, packet.wireEnd),
      });
    }
    if (!more) datagram.totalBytes = offset + length;

    const whole = joined(datagram);
    if (whole !== null) this.#datagrams.delete(key);
    return whole;
  }

  #forgetOldest(): void {
    if (this.#datagrams.size <= maxDatagrams) return;
    const [oldest] = this.#datagrams.keys();
    if (oldest !== undefined) this.#datagrams.delete(oldest);
  }
}

function joined({ pieces, totalBytes }: Datagram): Uint8Array | null {
  if (totalBytes === null) return null;
  const whole = new Uint8Array(totalBytes);
  let filled = 0;
  for (const { offset, bytes } of pieces.sort((a, b) => a.offset - b.offset)) {
    if (offset > filled) return null;
    const end = Math.min(offset + bytes.length, totalBytes);
    if (end <= filled) continue;
    whole.set(bytes.subarray(0, end - offset), offset);
    filled = end;
  }
  return filled === totalBytes ? whole : null;
}

function keyOf(packet: FragmentedPacket, identification: number): string {
  const { source0, source1, source2, source3 } = packet;
  const { destination0, destination1, destination2, destination3 } = packet;
  return [
    ...[packet.ipVersion, packet.protocol, identification],
    ...[source0, source1, source2, source3],
    ...[destination0, destination1, destination2, destination3],
  ].join(' ');
}
