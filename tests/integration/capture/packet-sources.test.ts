import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LibpcapSource } from '../../../native-host/capture/libpcap-source.ts';
import { openPacketSource } from '../../../native-host/capture/open-packet-source.ts';
import type { CaptureOptions, PacketSource } from '../../../native-host/capture/packet-source.ts';
import { PcapWriter } from '../../../native-host/capture/pcap-writer.ts';
import { TcpdumpSource } from '../../../native-host/capture/tcpdump-source.ts';

const run = promisify(execFile);

/** Ethernet, IPv4 and UDP headers before a datagram's payload on loopback. */
const headersBytes = 14 + 20 + 8;

const payloads = [
  'first',
  'second, longer',
  'x'.repeat(1400),
  ...Array.from({ length: 200 }, (_, i) => `no ${i}`),
];

interface Seen {
  readonly text: string;
  readonly atMs: number;
  readonly capturedLength: number;
  readonly originalLength: number;
}

const sources: [string, (options: CaptureOptions) => Promise<PacketSource>][] = [
  ['libpcap', (options) => Promise.resolve(LibpcapSource.open(options))],
  ['tcpdump', (options) => TcpdumpSource.open(options)],
];

describe('Packet sources on loopback', () => {
  let socket: Socket;
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'towline-capture-'));
    socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
  });

  afterEach(async () => {
    socket.close();
    await rm(directory, { recursive: true, force: true });
  });

  const options = (seen: Seen[], snapLength: number): CaptureOptions => ({
    interface: 'lo',
    filter: `udp port ${socket.address().port}`,
    snapLength,
    onPacket: (frame, seconds, nanoseconds, originalLength) => {
      const text = Buffer.from(frame.subarray(headersBytes)).toString();
      seen.push({
        text,
        atMs: seconds * 1e3 + nanoseconds / 1e6,
        capturedLength: frame.length,
        originalLength,
      });
    },
  });

  async function sendAll(): Promise<void> {
    for (const payload of payloads) {
      const arrived = once(socket, 'message');
      socket.send(payload, socket.address().port, '127.0.0.1');
      await arrived;
    }
  }

  it('both see the same packets, whole, with the same times, up to the last before the stop', async () => {
    const seen: Seen[][] = [[], []];
    const opened = await Promise.all(sources.map(([, open], i) => open(options(seen[i] ?? [], 65_535))));
    const startedAtMs = Date.now();
    // What passes between opening and starting is not lost.
    await sendAll();
    for (const source of opened) source.start();
    const stats = await Promise.all(opened.map((source) => source.stop()));

    opened.forEach((source, i) => {
      expect(source.kind).toBe(sources[i]?.[0]);
      expect(source.linkType).toBe(1);
      expect(seen[i]?.map(({ text }) => text)).toEqual(payloads);
      expect(seen[i]?.map(({ originalLength }) => originalLength)).toEqual(
        payloads.map((payload) => headersBytes + payload.length),
      );
      expect(stats[i]).toEqual({ packets: payloads.length, droppedByKernel: 0, droppedByInterface: 0 });
    });
    seen[0]?.forEach(({ atMs }, i) => {
      // The kernel stamps a packet once for each reader; both stamps lie between sending and now.
      expect(atMs).toBeGreaterThan(startedAtMs - 1);
      expect(atMs).toBeLessThan(Date.now() + 1);
      expect(seen[1]?.[i]?.atMs).toBeGreaterThan(startedAtMs - 1);
    });
  });

  it.each(sources)('%s keeps the snap length, and a file that tshark reads', async (_, open) => {
    const seen: Seen[] = [];
    const path = join(directory, 'packets.pcap');
    const asked = options(seen, 96);
    const writer = PcapWriter.open(path, { linkType: 1, snapLength: 96 });
    const source = await open({
      ...asked,
      onPacket: (...packet) => {
        asked.onPacket(...packet);
        writer.write(...packet);
      },
    });
    source.start();
    await sendAll();
    await source.stop();
    writer.close();

    expect(Math.max(...seen.map(({ capturedLength }) => capturedLength))).toBe(96);
    const fields = ['frame.time_epoch', 'frame.cap_len', 'frame.len'].flatMap((field) => ['-e', field]);
    const { stdout } = await run('tshark', ['-r', path, '-T', 'fields', ...fields]);
    const read = stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t').map(Number));
    expect(read.map(([, capturedLength, originalLength]) => [capturedLength, originalLength])).toEqual(
      seen.map(({ capturedLength, originalLength }) => [capturedLength, originalLength]),
    );
    read.forEach(([atSeconds = 0], i) => {
      expect(atSeconds * 1000).toBeCloseTo(seen[i]?.atMs ?? 0, 3);
    });
  });

  it.each(sources)('%s ends at once on a silent interface', async (_, open) => {
    const source = await open({ ...options([], 96), filter: 'udp port 1 and udp port 2' });
    source.start();
    expect(await source.lost()).toBe(0);
    expect(await source.stop()).toEqual({ packets: 0, droppedByKernel: 0, droppedByInterface: 0 });
  });

  it('says what is wrong with a device that is not there, and with a filter that is none', async () => {
    const silent = options([], 96);
    for (const wrong of [{ interface: 'no-such-if' }, { filter: 'not a filter' }]) {
      await expect(openPacketSource({ ...silent, ...wrong })).rejects.toMatchObject({
        code: 'capture-failed',
        stage: 'capture',
      });
    }
  });
});
