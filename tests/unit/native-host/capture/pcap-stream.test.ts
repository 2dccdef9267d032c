import { describe, expect, it } from 'vitest';
import type { OnPacket } from '../../../../native-host/capture/packet-source.ts';
import { PcapStream } from '../../../../native-host/capture/pcap-stream.ts';

type Packet = Parameters<OnPacket>;

function read(digits: string): Packet[] {
  const packets: Packet[] = [];
  const bytes = Buffer.from(digits.replaceAll(/\s/g, ''), 'hex');
  const stream = new PcapStream((frame, ...rest) => packets.push([Uint8Array.from(frame), ...rest]));
  for (const byte of bytes) stream.push(Buffer.of(byte));
  return packets;
}

describe('PcapStream', () => {
  // The four magic numbers of pcap-savefile(5): byte order, and micro- or nanoseconds.
  it.each([
    ['d4c3b2a1 0200 0400 00000000 00000000 60000000 01000000  02000000 03000000 01000000 05000000 ff', 3000],
    ['4d3cb2a1 0200 0400 00000000 00000000 60000000 01000000  02000000 03000000 01000000 05000000 ff', 3],
    ['a1b2c3d4 0002 0004 00000000 00000000 00000060 00000001  00000002 00000003 00000001 00000005 ff', 3000],
    ['a1b23c4d 0002 0004 00000000 00000000 00000060 00000001  00000002 00000003 00000001 00000005 ff', 3],
  ])('reads %s', (digits, nanoseconds) => {
    expect(read(digits)).toEqual([[Uint8Array.of(0xff), 2, nanoseconds, 5]]);
  });

  it('refuses what is no pcap stream', () => {
    expect(() => read('0a0d0d0a 0002 0004 00000000 00000000 00000060 00000001')).toThrow('no pcap stream');
  });
});
