import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OnPacket } from '../../../../native-host/capture/packet-source.ts';
import { PcapStream } from '../../../../native-host/capture/pcap-stream.ts';
import { PcapWriter } from '../../../../native-host/capture/pcap-writer.ts';

const header = { linkType: 1, snapLength: 262_144 };

type Packet = Parameters<OnPacket>;

async function readBack(
  path: string,
  pieceBytes: number,
): Promise<{ linkType: number | null; packets: Packet[] }> {
  const packets: Packet[] = [];
  const stream = new PcapStream((frame, ...rest) => packets.push([frame.slice(), ...rest]));
  for await (const chunk of createReadStream(path, { highWaterMark: pieceBytes }))
    stream.push(chunk as Buffer);
  return { linkType: stream.linkType, packets };
}

describe('PcapWriter', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'towline-pcap-'));
  });

  afterEach(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  it('writes more than its buffer holds, and every packet as it was', async () => {
    const path = join(directory, 'packets.pcap');
    const written = Array.from({ length: 40 }, (_, i): Packet => [
      new Uint8Array(60_000 + i).fill(i),
      1_700_000_000 + i,
      999_999_999 - i,
      70_000 + i,
    ]);
    const writer = PcapWriter.open(path, header);
    for (const packet of written) writer.write(...packet);
    writer.close();
    writer.close();
    expect((await stat(path)).size).toBe(24 + written.reduce((sum, [frame]) => sum + 16 + frame.length, 0));
    for (const pieceBytes of [64 * 1024, 17_777]) {
      const { linkType, packets } = await readBack(path, pieceBytes);
      expect(linkType).toBe(1);
      expect(packets.map(([, ...rest]) => rest)).toEqual(written.map(([, ...rest]) => rest));
      expect(packets.every(([frame], i) => Buffer.compare(frame, written[i]?.[0] ?? frame) === 0)).toBe(true);
    }
  });

  it('says at the end that the disk is full, and never before', () => {
    const writer = PcapWriter.open('/dev/full', header);
    for (let i = 0; i < 30; i += 1) writer.write(new Uint8Array(60_000), 0, 0, 60_000);
    expect(() => {
      writer.close();
    }).toThrow(expect.objectContaining({ code: 'disk-full', stage: 'capture' }));
  });

  it('says at once that the file cannot be made', () => {
    expect(() => PcapWriter.open(join(directory, 'missing', 'packets.pcap'), header)).toThrow(
      expect.objectContaining({ code: 'write-failed', stage: 'capture' }),
    );
  });
});
