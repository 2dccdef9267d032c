import { FragmentStore } from './fragment-store.ts';
import { linkType, rawDltNumbers } from './link-type.ts';
import { etherTypeName, ipProtocolName, linkTypeName } from './protocol-names.ts';

/** IP protocol numbers told apart here (IANA Protocol Numbers). */
export const ipProtocol = { tcp: 6, udp: 17 } as const;

const etherType = {
  ipv4: 0x0800,
  ipv6: 0x86dd,
  vlan: 0x8100,
  serviceVlan: 0x88a8,
  oldQinq: 0x9100,
} as const;

/** IPv6 extension headers, RFC 8200 section 4 and RFC 7045. */
const extensionHeader = {
  hopByHop: 0,
  routing: 43,
  fragment: 44,
  authentication: 51,
  destinationOptions: 60,
  mobility: 135,
} as const;

/** Longest chain of extension headers followed: far more than any sender uses. */
const maxExtensionHeaders = 16;

/** Longest frame believed: the largest that BIG TCP makes (512 KiB), twice. */
const maxFrameBytes = 1024 * 1024;

/**
 * One frame taken apart down to its transport header. A single object is filled anew for every frame, so that
 * millions of frames make no garbage; its fields are valid until the next {@link Packet.decode}.
 *
 * Lengths called "wire" are what was sent; what the capture holds may be less (snap length). Checksums are
 * never looked at: offload leaves them wrong on virtual links.
 */
export class Packet {
  /** Why the frame has no transport header to read, in a word or two (`arp`, `ethertype 0x8847`). */
  other = '';

  ipVersion: 4 | 6 = 4;
  protocol = 0;
  /** Wire length of the IP packet, header included, bytes. Over 65,535 for segments joined by offload. */
  ipBytes = 0;
  /** What {@link transportAt} and the ends refer to: the frame, or a datagram put together from fragments. */
  bytes: Uint8Array = new Uint8Array(0);
  /** Where the transport header begins in {@link bytes}. */
  transportAt = 0;
  /** End of what was captured of this IP packet. */
  capturedEnd = 0;
  /** End of this IP packet on the wire; beyond {@link capturedEnd} when the frame was cut. */
  wireEnd = 0;

  /** The addresses as four 32-bit words, most significant first; IPv4 has its one in the last. */
  source0 = 0;
  source1 = 0;
  source2 = 0;
  source3 = 0;
  destination0 = 0;
  destination1 = 0;
  destination2 = 0;
  destination3 = 0;

  readonly #fragments = new FragmentStore();

  /**
   * @param originalBytes length of the frame on the wire
   * @returns true when there is an IP packet with a whole transport header's beginning to look at; otherwise
   * {@link other} names what it is
   */
  decode(frame: Uint8Array, link: number, originalBytes: number): boolean {
    const believed = originalBytes >= frame.length && originalBytes <= maxFrameBytes;
    const wireBytes = believed ? originalBytes : frame.length;
    switch (link) {
      case linkType.ethernet:
        return this.#ethernet(frame, wireBytes);
      case linkType.linuxCooked:
        if (frame.length < 16) return this.#isOther('cut frame');
        return this.#ethernetPayload(frame, 14, wireBytes);
      case linkType.linuxCooked2:
        if (frame.length < 20) return this.#isOther('cut frame');
        return this.#network(frame, readUint16(frame, 0), 20, wireBytes);
      case linkType.null:
      case linkType.loop:
        // The address family's byte order and numbers differ by system; the IP version says the same.
        return this.#ip(frame, 4, wireBytes);
      case linkType.raw:
      case linkType.ipv4:
      case linkType.ipv6:
        return this.#ip(frame, 0, wireBytes);
      default:
        if (rawDltNumbers.includes(link)) return this.#ip(frame, 0, wireBytes);
        return this.#isOther(linkTypeName(link));
    }
  }

  #isOther(name: string): false {
    this.other = name;
    return false;
  }

  #ethernet(frame: Uint8Array, wireBytes: number): boolean {
    if (frame.length < 14) return this.#isOther('cut frame');
    return this.#ethernetPayload(frame, 12, wireBytes);
  }

  /** From an EtherType on, through any number of VLAN tags (802.1Q, 802.1ad). */
  #ethernetPayload(frame: Uint8Array, typeAt: number, wireBytes: number): boolean {
    let at = typeAt;
    let type = readUint16(frame, at);
    while (type === etherType.vlan || type === etherType.serviceVlan || type === etherType.oldQinq) {
      at += 4;
      if (frame.length < at + 2) return this.#isOther('cut frame');
      type = readUint16(frame, at);
    }
    return this.#network(frame, type, at + 2, wireBytes);
  }

  #network(frame: Uint8Array, type: number, at: number, wireBytes: number): boolean {
    if (type === etherType.ipv4 || type === etherType.ipv6) return this.#ip(frame, at, wireBytes);
    if (type <= 1500) return this.#isOther('llc');
    return this.#isOther(etherTypeName(type));
  }

  #ip(frame: Uint8Array, at: number, wireBytes: number): boolean {
    if (frame.length <= at) return this.#isOther('cut frame');
    const version = frame[at]! >> 4;
    if (version === 4) return this.#ipv4(frame, at, wireBytes);
    if (version === 6) return this.#ipv6(frame, at, wireBytes);
    return this.#isOther('not ip');
  }

  #ipv4(frame: Uint8Array, at: number, wireBytes: number): boolean {
    if (frame.length < at + 20) return this.#isOther('cut frame');
    const headerBytes = (frame[at]! & 0x0f) * 4;
    // Segmentation offload may leave the length 0: then the frame's own length has to do.
    const totalBytes = readUint16(frame, at + 2) || wireBytes - at;
    if (headerBytes < 20 || totalBytes < headerBytes) return this.#isOther('malformed ip');
    this.ipVersion = 4;
    this.protocol = frame[at + 9]!;
    this.source0 = this.source1 = this.source2 = 0;
    this.destination0 = this.destination1 = this.destination2 = 0;
    this.source3 = readInt32(frame, at + 12);
    this.destination3 = readInt32(frame, at + 16);
    this.#span(frame, at, at + headerBytes, totalBytes);
    const fragment = readUint16(frame, at + 6);
    if ((fragment & 0x3fff) !== 0) {
      const offset = (fragment & 0x1fff) * 8;
      return this.#fragment(readUint16(frame, at + 4), offset, (fragment & 0x2000) !== 0);
    }
    return this.#transport();
  }

  #ipv6(frame: Uint8Array, at: number, wireBytes: number): boolean {
    if (frame.length < at + 40) return this.#isOther('cut frame');
    // A jumbogram (RFC 2675) has length 0; BIG TCP makes them on links of one machine.
    const payloadBytes = readUint16(frame, at + 4) || wireBytes - at - 40;
    if (payloadBytes < 0) return this.#isOther('malformed ip');
    this.ipVersion = 6;
    this.source0 = readInt32(frame, at + 8);
    this.source1 = readInt32(frame, at + 12);
    this.source2 = readInt32(frame, at + 16);
    this.source3 = readInt32(frame, at + 20);
    this.destination0 = readInt32(frame, at + 24);
    this.destination1 = readInt32(frame, at + 28);
    this.destination2 = readInt32(frame, at + 32);
    this.destination3 = readInt32(frame, at + 36);
    this.protocol = frame[at + 6]!;
    this.#span(frame, at, at + 40, 40 + payloadBytes);
    return this.#afterIpv6Headers();
  }

  #span(frame: Uint8Array, at: number, transportAt: number, ipBytes: number): void {
    this.bytes = frame;
    this.ipBytes = ipBytes;
    this.transportAt = transportAt;
    this.wireEnd = at + ipBytes;
    this.capturedEnd = this.wireEnd < frame.length ? this.wireEnd : frame.length;
  }

  /** Steps over extension headers; {@link protocol} and {@link transportAt} end at the transport header. */
  #afterIpv6Headers(): boolean {
    const { bytes } = this;
    for (let i = 0; i < maxExtensionHeaders; i += 1) {
      const at = this.transportAt;
      switch (this.protocol) {
        case extensionHeader.hopByHop:
        case extensionHeader.routing:
        case extensionHeader.destinationOptions:
        case extensionHeader.mobility:
        case extensionHeader.authentication: {
          if (this.capturedEnd < at + 2) return this.#isOther('cut frame');
          // RFC 4302 counts the authentication header in 4-byte units less two, others in 8 less one.
          const units = bytes[at + 1]!;
          this.transportAt +=
            this.protocol === extensionHeader.authentication ? (units + 2) * 4 : (units + 1) * 8;
          this.protocol = bytes[at]!;
          break;
        }
        case extensionHeader.fragment: {
          if (this.capturedEnd < at + 8) return this.#isOther('cut frame');
          const offsetAndMore = readUint16(bytes, at + 2);
          this.protocol = bytes[at]!;
          this.transportAt = at + 8;
          // An atomic fragment (RFC 6946) is a whole packet.
          if ((offsetAndMore & 0xfff9) !== 0) {
            return this.#fragment(
              readInt32(bytes, at + 4),
              offsetAndMore & 0xfff8,
              (offsetAndMore & 1) !== 0,
            );
          }
          break;
        }
        default:
          return this.#transport();
      }
    }
    return this.#isOther('malformed ip');
  }

  #fragment(identification: number, offset: number, more: boolean): boolean {
    const whole = this.#fragments.add(this, identification, offset, more);
    if (whole === null) return this.#isOther('ip fragment');
    this.bytes = whole;
    this.transportAt = 0;
    this.capturedEnd = this.wireEnd = whole.length;
    return this.ipVersion === 6 ? this.#afterIpv6Headers() : this.#transport();
  }

  #transport(): boolean {
    if (this.protocol !== ipProtocol.tcp && this.protocol !== ipProtocol.udp) {
      return this.#isOther(ipProtocolName(this.protocol));
    }
    const headerBytes = this.protocol === ipProtocol.tcp ? 20 : 8;
    if (this.wireEnd - this.transportAt < headerBytes) return this.#isOther('malformed ip');
    if (this.capturedEnd - this.transportAt < headerBytes) return this.#isOther('cut frame');
    return true;
  }
}

export function readUint16(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
}

/** Signed, so that it stays a small integer. */
export function readInt32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
}
