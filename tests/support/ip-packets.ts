/** Packets as their specifications lay them out, for tests. */

export interface UdpOptions {
  readonly sourcePort?: number;
  readonly destinationPort?: number;
}

/** A UDP datagram, RFC 768, without a checksum. */
export function udp(
  payload: Uint8Array,
  { sourcePort = 50_000, destinationPort = 443 }: UdpOptions = {},
): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt16BE(sourcePort, 0);
  header.writeUInt16BE(destinationPort, 2);
  header.writeUInt16BE(8 + payload.length, 4);
  return Buffer.concat([header, payload]);
}

export interface Ipv4Options {
  readonly protocol?: number;
  /** In units of 8 bytes. */
  readonly fragmentOffset?: number;
  readonly moreFragments?: boolean;
  readonly identification?: number;
  /** Instead of the true length. */
  readonly totalLength?: number;
  /** Bytes of options: a multiple of 4. */
  readonly optionBytes?: number;
}

/** An IPv4 packet from 192.0.2.1 to 198.51.100.2, RFC 791. */
export function ipv4(payload: Uint8Array, options: Ipv4Options = {}): Buffer {
  const header = Buffer.alloc(20 + (options.optionBytes ?? 0), 1);
  header.fill(0, 0, 20);
  header[0] = 0x40 | (header.length / 4);
  header.writeUInt16BE(options.totalLength ?? header.length + payload.length, 2);
  header.writeUInt16BE(options.identification ?? 0, 4);
  header.writeUInt16BE((options.moreFragments === true ? 0x2000 : 0) | (options.fragmentOffset ?? 0), 6);
  header[8] = 64;
  header[9] = options.protocol ?? 17;
  header.set([192, 0, 2, 1, 198, 51, 100, 2], 12);
  return Buffer.concat([header, payload]);
}

/** An IPv6 packet from 2001:db8::1 to 2001:db8:0:1::2, RFC 8200. */
export function ipv6(payload: Uint8Array, nextHeader = 17, payloadLength = payload.length): Buffer {
  const header = Buffer.alloc(40);
  header[0] = 0x60;
  header.writeUInt16BE(payloadLength, 4);
  header[6] = nextHeader;
  header[7] = 64;
  header.write('20010db8000000000000000000000001', 8, 'hex');
  header.write('20010db8000000010000000000000002', 24, 'hex');
  return Buffer.concat([header, payload]);
}

/** An Ethernet frame; 802.1Q tags, by their EtherTypes, come before the type. */
export function ethernet(payload: Uint8Array, type = 0x0800, tags: readonly number[] = []): Buffer {
  const addresses = Buffer.from('020000000001020000000002', 'hex');
  const tagged = tags.flatMap((tag) => [tag >> 8, tag & 0xff, 0x00, 0x2a]);
  return Buffer.concat([addresses, Buffer.from([...tagged, type >> 8, type & 0xff]), payload]);
}

export interface TcpOptions {
  readonly sourcePort: number;
  readonly destinationPort: number;
  readonly sequence: number;
  readonly acknowledgement?: number;
  /** Control bits as they stand in the header: `0x10` is ACK. */
  readonly flags?: number;
  readonly window?: number;
}

/** A TCP segment without options, RFC 9293, without a checksum. */
export function tcp(payload: Uint8Array, options: TcpOptions): Buffer {
  const header = Buffer.alloc(20);
  header.writeUInt16BE(options.sourcePort, 0);
  header.writeUInt16BE(options.destinationPort, 2);
  header.writeUInt32BE(options.sequence >>> 0, 4);
  header.writeUInt32BE((options.acknowledgement ?? 0) >>> 0, 8);
  header[12] = 0x50;
  header[13] = options.flags ?? 0x10;
  header.writeUInt16BE(options.window ?? 0xffff, 14);
  return Buffer.concat([header, payload]);
}
