import { describe, expect, it } from 'vitest';
import { ipv4Text, ipv6Text } from '../../../../../native-host/wire/packet/address-text.ts';
import { linkType } from '../../../../../native-host/wire/packet/link-type.ts';
import { Packet } from '../../../../../native-host/wire/packet/packet.ts';
import { ethernet, ipv4, ipv6, udp } from '../../../../support/ip-packets.ts';

const payload = Buffer.from('some payload of an odd length');
const datagram = udp(payload);

function decoded(
  frame: Uint8Array,
  link: number = linkType.ethernet,
  originalBytes = frame.length,
): Packet | string {
  const packet = new Packet();
  return packet.decode(frame, link, originalBytes) ? packet : packet.other;
}

/** The UDP payload that was found, as text. */
function found(frame: Uint8Array, link?: number, originalBytes?: number): string {
  const packet = decoded(frame, link, originalBytes);
  if (typeof packet === 'string') return `other: ${packet}`;
  return Buffer.from(packet.bytes.subarray(packet.transportAt + 8, packet.capturedEnd)).toString();
}

describe('links', () => {
  // https://www.tcpdump.org/linktypes/ has their layouts.
  const sll = Buffer.from('0000000100060200000000010000', 'hex');
  const sll2 = Buffer.from('0800' + '0000' + '00000002' + '0001' + '00' + '06' + '0200000000010000', 'hex');
  it.each([
    ['Ethernet', linkType.ethernet, ethernet(ipv4(datagram))],
    ['Ethernet with a VLAN tag', linkType.ethernet, ethernet(ipv4(datagram), 0x0800, [0x8100])],
    ['Ethernet with QinQ', linkType.ethernet, ethernet(ipv6(datagram), 0x86dd, [0x88a8, 0x8100])],
    ['Linux cooked', linkType.linuxCooked, Buffer.concat([sll, Buffer.from('0800', 'hex'), ipv4(datagram)])],
    ['Linux cooked v2', linkType.linuxCooked2, Buffer.concat([sll2, ipv4(datagram)])],
    ['raw IP', linkType.raw, ipv4(datagram)],
    ['raw IP by its DLT number', 12, ipv6(datagram)],
    ['IPv6 alone', linkType.ipv6, ipv6(datagram)],
    ['BSD loopback', linkType.null, Buffer.concat([Buffer.from('02000000', 'hex'), ipv4(datagram)])],
    ['OpenBSD loopback', linkType.loop, Buffer.concat([Buffer.from('00000018', 'hex'), ipv6(datagram)])],
  ])('%s', (_name, link, frame) => {
    expect(found(frame, link)).toBe(payload.toString());
  });

  it.each([
    ['arp', linkType.ethernet, ethernet(Buffer.alloc(28), 0x0806)],
    ['mpls', linkType.ethernet, ethernet(Buffer.alloc(28), 0x8847)],
    // IEEE 802's for local experiments.
    ['ethertype 0x88b5', linkType.ethernet, ethernet(Buffer.alloc(28), 0x88b5)],
    ['llc', linkType.ethernet, ethernet(Buffer.alloc(46), 46)],
    ['icmp', linkType.ethernet, ethernet(ipv4(Buffer.alloc(8), { protocol: 1 }))],
    ['esp', linkType.ethernet, ethernet(ipv4(Buffer.alloc(8), { protocol: 50 }))],
    // For experiments, RFC 3692.
    ['ip protocol 253', linkType.ethernet, ethernet(ipv4(Buffer.alloc(8), { protocol: 253 }))],
    ['link type 147', 147, ethernet(ipv4(datagram))],
    ['not ip', linkType.raw, Buffer.alloc(40, 0xff)],
  ])('%s is named', (name, link, frame) => {
    expect(decoded(frame, link)).toBe(name);
  });
});

describe('IPv4', () => {
  it('leaves the padding of short Ethernet frames out', () => {
    expect(found(Buffer.concat([ethernet(ipv4(datagram)), Buffer.alloc(20)]))).toBe(payload.toString());
  });

  it('steps over options', () => {
    expect(found(ethernet(ipv4(datagram, { optionBytes: 12 })))).toBe(payload.toString());
  });

  it('takes the length of the frame where offload left 0', () => {
    expect(found(ethernet(ipv4(datagram, { totalLength: 0 })))).toBe(payload.toString());
  });

  it('puts fragments together in any order', () => {
    const pieces = [0, 8, 16, 24, 32].map((at) => ({ at, bytes: datagram.subarray(at, at + 8) }));
    const frames = pieces.map(({ at, bytes }) =>
      ethernet(
        ipv4(bytes, { identification: 7, fragmentOffset: at / 8, moreFragments: at + 8 < datagram.length }),
      ),
    );
    const packet = new Packet();
    const seen = [3, 1, 4, 1, 0, 2].map((i) => packet.decode(frames[i] ?? Buffer.alloc(0), 1, 100));
    expect(seen).toEqual([false, false, false, false, false, true]);
    expect(Buffer.from(packet.bytes.subarray(8)).toString()).toBe(payload.toString());
  });

  it('does not take fragments of different packets for one', () => {
    const packet = new Packet();
    packet.decode(
      ethernet(ipv4(datagram.subarray(0, 8), { identification: 1, moreFragments: true })),
      1,
      100,
    );
    const other = ethernet(ipv4(datagram.subarray(8), { identification: 2, fragmentOffset: 1 }));
    expect(packet.decode(other, 1, 100)).toBe(false);
    expect(packet.other).toBe('ip fragment');
  });
});

describe('IPv6', () => {
  it('steps over extension headers', () => {
    // Hop-by-hop, destination options, routing and authentication, each with the one after it named.
    const headers = Buffer.from(
      '3c000104000000002b000104000000003300000000000000' +
        '110400000000000100000001' +
        '000000000000000000000000',
      'hex',
    );
    expect(found(ethernet(ipv6(Buffer.concat([headers, datagram]), 0), 0x86dd))).toBe(payload.toString());
  });

  it('puts fragments together', () => {
    const fragment = (at: number, end: number): Buffer => {
      const header = Buffer.alloc(8);
      header[0] = 17;
      header.writeUInt16BE(at | (end < datagram.length ? 1 : 0), 2);
      header.writeUInt32BE(99, 4);
      return ethernet(ipv6(Buffer.concat([header, datagram.subarray(at, end)]), 44), 0x86dd);
    };
    const packet = new Packet();
    expect(packet.decode(fragment(16, datagram.length), 1, 200)).toBe(false);
    expect(packet.decode(fragment(0, 16), 1, 200)).toBe(true);
    expect(Buffer.from(packet.bytes.subarray(8)).toString()).toBe(payload.toString());
  });

  it('reads packets of more than 64 KB, whose length field is 0', () => {
    // A jumbogram's UDP length is 0 too (RFC 2675 section 4).
    const big = Buffer.concat([Buffer.from('c35001bb00000000', 'hex'), Buffer.alloc(100_000, 'x')]);
    const packet = decoded(ethernet(ipv6(big, 17, 0), 0x86dd));
    expect(packet).toMatchObject({ ipBytes: 40 + 8 + 100_000 });
  });
});

it('knows what was sent of a frame that the snap length cut', () => {
  const frame = ethernet(ipv4(datagram));
  const packet = decoded(frame.subarray(0, 50), linkType.ethernet, frame.length);
  expect(packet).toMatchObject({ ipBytes: 20 + datagram.length, capturedEnd: 50, wireEnd: frame.length });
});

it('says of every frame cut too short what it is, and never reads beyond it', () => {
  const frame = ethernet(ipv6(datagram), 0x86dd, [0x8100]);
  const headers = 18 + 40 + 8;
  for (let length = 0; length < headers; length += 1) {
    expect(decoded(frame.subarray(0, length), linkType.ethernet, frame.length)).toBe('cut frame');
  }
});

it('writes addresses as RFC 5952 asks', () => {
  expect(ipv4Text(0xc0000201 | 0)).toBe('192.0.2.1');
  expect(ipv6Text(0x20010db8, 0, 0, 1)).toBe('2001:db8::1');
  expect(ipv6Text(0x20010db8, 0, 0x00010000, 0x00000001)).toBe('2001:db8::1:0:0:1');
  expect(ipv6Text(0x20010db8, 0x00000001, 0x00010001, 0x00010001)).toBe('2001:db8:0:1:1:1:1:1');
  expect(ipv6Text(0, 0, 0, 0)).toBe('::');
  expect(ipv6Text(0, 0, 0xffff, 0xc0000280 | 0)).toBe('::ffff:192.0.2.128');
  expect(ipv6Text(0xfe800000 | 0, 0, 0, 0)).toBe('fe80::');
});
