import { isLongHeader, parseInvariantHeader } from './long-header.ts';
import { quicVersionOf } from './quic-version.ts';

/** Longest packet looked for; paths between browsers and servers carry no larger ones. */
const maxPacketBytes = 1500;

/** Shortest packet there can be: a flag byte, then 20 that header protection needs. */
const minPacketBytes = 21;

/** Searches through every length that one connection may cost; after the first, the length is known. */
const maxSearches = 64;

/**
 * Finds where a short-header packet ends when others follow it. On the wire none do, since it has no length;
 * but a sender may hand the kernel several datagrams at once (Linux UDP_SEGMENT), and a capture on a
 * loopback, veth or tap link then sees them joined into one. The tag has to tell which of the ends is right.
 */
export class JoinedPackets {
  #lastBytes = 0;
  #searchesLeft = maxSearches;

  /**
   * Lengths the first packet may have, the likeliest first.
   *
   * @param datagram begins with a short header
   * @param idLengths that the connection IDs of its receiver may have
   */
  *lengths(datagram: Uint8Array, idLengths: readonly number[]): Generator<number> {
    const last = this.#lastBytes;
    if (last > 0 && last < datagram.length) yield last;
    if (this.#searchesLeft === 0) return;
    this.#searchesLeft -= 1;
    const most = Math.min(maxPacketBytes, datagram.length - minPacketBytes);
    for (let length = most; length >= minPacketBytes; length -= 1) {
      if (mayBegin(datagram, length, idLengths)) yield length;
    }
  }

  /** A length of {@link lengths} was right: all but the last of what is sent at once have the same. */
  confirm(length: number): void {
    this.#lastBytes = length;
  }
}

/** Whether another packet to the same receiver may begin at byte `at`. */
function mayBegin(datagram: Uint8Array, at: number, idLengths: readonly number[]): boolean {
  if (isLongHeader(datagram, at)) {
    const header = parseInvariantHeader(datagram, at);
    return header !== null && quicVersionOf(header.versionNumber) !== undefined;
  }
  if ((datagram[at]! & 0x40) === 0) return false;
  return idLengths.some((length) => {
    for (let i = 1; i <= length; i += 1) if (datagram[at + i] !== datagram[i]) return false;
    return true;
  });
}
