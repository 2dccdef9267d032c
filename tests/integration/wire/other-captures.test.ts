import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyzeCapture } from '../../support/analyze-capture.ts';
import { fixtureFrames, type Frame } from '../../support/frames.ts';
import { ethernet, ipv4, udp } from '../../support/ip-packets.ts';
import { pcapFile } from '../../support/pcap-file.ts';
import { pcapngFile } from '../../support/pcapng-file.ts';

const run = promisify(execFile);
const ethernetBytes = 14;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'other-captures-'));
});
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

/** As many frames as tshark finds that fit the filter. */
async function tsharkCount(file: string, filter: string): Promise<number> {
  const { stdout } = await run('tshark', ['-r', file, '-Y', filter, '-T', 'fields', '-e', 'frame.number']);
  return stdout.split('\n').filter((line) => line !== '').length;
}

/** The frames with each one's head replaced. @param head gets the Ethernet frame and its type */
function rewritten(frames: readonly Frame[], head: (frame: Buffer, type: number) => Uint8Array): Frame[] {
  return frames.map((frame) => {
    const bytes = Buffer.concat([
      head(frame.bytes, frame.bytes.readUInt16BE(12)),
      frame.bytes.subarray(ethernetBytes),
    ]);
    return { ...frame, bytes, originalBytes: bytes.length };
  });
}

const bytesOf = (...values: number[]): Buffer => Buffer.from(values);
const uint16 = (value: number): Buffer => bytesOf(value >> 8, value & 0xff);
const addresses = (frame: Buffer): Buffer => frame.subarray(0, 12);

/** As other capture programs and links have the same packets: link type, and what stands before the IP header. */
const links: Record<string, [linkType: number, head: (frame: Buffer, type: number) => Uint8Array]> = {
  'a VLAN': [
    1,
    (frame, type) => Buffer.concat([addresses(frame), bytesOf(0x81, 0x00, 0x00, 0x2a), uint16(type)]),
  ],
  'a VLAN in a VLAN': [
    1,
    (frame, type) =>
      Buffer.concat([addresses(frame), bytesOf(0x88, 0xa8, 0, 7, 0x81, 0x00, 0, 42), uint16(type)]),
  ],
  // tcpdump -i any, of older and newer libpcap.
  'Linux cooked': [
    113,
    (_, type) => Buffer.concat([bytesOf(0, 0, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0), uint16(type)]),
  ],
  'Linux cooked 2': [
    276,
    (_, type) => Buffer.concat([uint16(type), bytesOf(0, 0, 0, 0, 0, 2, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0)]),
  ],
  'raw IP': [101, () => new Uint8Array()],
  // The address family as BSD and Linux number it, in the order of either machine; OpenBSD's in network order.
  'null, little-endian': [0, () => bytesOf(2, 0, 0, 0)],
  'null, big-endian': [0, () => bytesOf(0, 0, 0, 2)],
  loopback: [108, () => bytesOf(0, 0, 0, 2)],
};

describe.each(['h2', 'h3'] as const)('a load over %s', (arm) => {
  const frames = fixtureFrames(arm).filter(({ bytes }) => bytes.readUInt16BE(12) === 0x0800);
  const keys = `tests/fixtures/wire/page-load-${arm}.keys`;
  const plainFile = (): string => join(directory, `${arm}-plain.pcap`);

  it.each(Object.entries(links))('is read the same from %s', async (name, [linkType, head]) => {
    await writeFile(plainFile(), pcapFile(frames));
    const file = join(directory, `${arm}-${name}.pcap`);
    await writeFile(file, pcapFile(rewritten(frames, head), linkType));
    const wire = analyzeCapture(file, keys);
    expect(wire).toEqual(analyzeCapture(plainFile(), keys));
    const packets = wire.flows.reduce((sum, flow) => sum + flow.packetsDown + flow.packetsUp, 0);
    const transport = 'not icmp and (tcp or quic or (udp.port == 443))';
    expect(packets).toBe(await tsharkCount(file, transport));
  });

  it('is read the same from a big-endian pcapng file with nanoseconds', async () => {
    await writeFile(plainFile(), pcapFile(frames));
    const file = join(directory, `${arm}.pcapng`);
    const whole = pcapngFile(frames, { bigEndian: true });
    // Its last block is a packet without a time.
    await writeFile(file, whole.subarray(0, whole.length - whole.readUInt32BE(whole.length - 4)));
    expect(analyzeCapture(file, keys)).toEqual(analyzeCapture(plainFile(), keys));
  });

  it('cut at 96 bytes still tells flows, packets and bytes', async () => {
    await writeFile(plainFile(), pcapFile(frames));
    const file = join(directory, `${arm}-96.pcap`);
    await run('editcap', ['-s', '96', plainFile(), file]);
    const counts = (path: string): unknown =>
      analyzeCapture(path, null).flows.map((flow) => [
        ...[flow.serverAddress, flow.bytesDown, flow.bytesUp, flow.packetsDown, flow.packetsUp],
        ...[flow.handshakeRttMs, flow.retransmissionsDown],
      ]);
    expect(counts(file)).toEqual(counts(plainFile()));
  });
});

/** The packets inside something that is not looked into: name of ours, tshark's filter, head. */
const tunnels: [string, string, (frame: Buffer, type: number) => Uint8Array][] = [
  ['mpls', 'mpls', (frame) => Buffer.concat([addresses(frame), bytesOf(0x88, 0x47, 0, 1, 0x01, 64)])],
  [
    'pppoe',
    'pppoes',
    (frame) =>
      Buffer.concat([
        ...[addresses(frame), bytesOf(0x88, 0x64, 0x11, 0, 0, 1)],
        ...[uint16(frame.length - ethernetBytes + 2), bytesOf(0x00, 0x21)],
      ]),
  ],
];

describe('a tunnel is counted and named, as far as tshark finds it', () => {
  const frames = fixtureFrames('h2').filter(({ bytes }) => bytes.readUInt16BE(12) === 0x0800);

  it.each(tunnels)('%s', async (name, filter, head) => {
    const file = join(directory, `${name}.pcap`);
    await writeFile(file, pcapFile(rewritten(frames, head)));
    const wire = analyzeCapture(file, null);
    expect(wire.flows).toEqual([]);
    expect(wire.otherPackets).toEqual({ [name]: await tsharkCount(file, filter) });
  });

  it('vxlan', async () => {
    const file = join(directory, 'vxlan.pcap');
    const inside = frames.map((frame) => {
      const vxlan = Buffer.concat([bytesOf(8, 0, 0, 0, 0, 0, 1, 0), frame.bytes]);
      const bytes = ethernet(ipv4(udp(vxlan, { destinationPort: 4789 })));
      return { ...frame, bytes, originalBytes: bytes.length };
    });
    await writeFile(file, pcapFile(inside));
    const wire = analyzeCapture(file, null);
    expect(wire.flows).toEqual([]);
    expect(wire.otherPackets).toEqual({ vxlan: await tsharkCount(file, 'vxlan') });
  });

  it('a link type that cannot be read', async () => {
    const file = join(directory, 'radiotap.pcap');
    await writeFile(file, pcapFile(frames, 127));
    expect(analyzeCapture(file, null).otherPackets).toEqual({
      'link type 127 (802.11 radiotap)': frames.length,
    });
  });
});
