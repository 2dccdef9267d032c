import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Frame } from '../../support/frames.ts';
import { analyzeCapture } from '../../support/analyze-capture.ts';
import { ethernet, ipv4, tcp } from '../../support/ip-packets.ts';
import { pcapFile } from '../../support/pcap-file.ts';

const run = promisify(execFile);

/** Round trip of the handshake. */
const rttMs = 20;
const flag = { syn: 0x02, ack: 0x10 } as const;
const clientPort = 50_000;
/** Payload of every segment. */
const segmentBytes = 100;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'retransmissions-'));
});
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

/** A connection as its client's end sees it: a handshake, then whatever is made to come. */
class Conversation {
  readonly frames: Frame[] = [];
  atMs = 0;

  constructor() {
    this.#up({ sequence: 0, flags: flag.syn });
    this.wait(rttMs);
    this.#down(tcp(new Uint8Array(), this.#fromServer({ sequence: 0, acknowledgement: 1, flags: 0x12 })));
    this.wait(0.1);
    this.acknowledge(0);
  }

  wait(ms: number): void {
    this.atMs += ms;
  }

  /** Segment `index` of the server's stream comes. */
  data(index: number, payloadBytes = segmentBytes): void {
    const sequence = 1 + index * segmentBytes;
    this.#down(tcp(Buffer.alloc(payloadBytes, 'x'), this.#fromServer({ sequence, acknowledgement: 1 })));
  }

  /** The last byte of segment `index` comes by itself. */
  keepAlive(index: number): void {
    const sequence = (index + 1) * segmentBytes;
    this.#down(tcp(Buffer.from('x'), this.#fromServer({ sequence, acknowledgement: 1 })));
  }

  /** The client has everything before segment `index`. */
  acknowledge(index: number): void {
    this.#up({ sequence: 1, acknowledgement: 1 + index * segmentBytes });
  }

  #fromServer(rest: {
    sequence: number;
    acknowledgement: number;
    flags?: number;
  }): Parameters<typeof tcp>[1] {
    return { sourcePort: 443, destinationPort: clientPort, ...rest };
  }

  #up(rest: { sequence: number; acknowledgement?: number; flags?: number }): void {
    const segment = tcp(new Uint8Array(), { sourcePort: clientPort, destinationPort: 443, ...rest });
    this.#push(ipv4(segment, { protocol: 6 }));
  }

  #down(segment: Buffer): void {
    const packet = ipv4(segment, { protocol: 6 });
    const [source, destination] = [packet.subarray(12, 16), packet.subarray(16, 20)];
    packet.set(Buffer.concat([destination, source]), 12);
    this.#push(packet);
  }

  #push(packet: Buffer): void {
    const bytes = ethernet(packet);
    const nanoseconds = Math.round(this.atMs * 1e6);
    this.frames.push({ bytes, seconds: 1_700_000_000, nanoseconds, originalBytes: bytes.length });
  }
}

interface Counts {
  retransmissions: number;
  outOfOrder: number;
}

async function bothReadings(
  play: (conversation: Conversation) => void,
): Promise<{ ours: Counts; tshark: Counts }> {
  const conversation = new Conversation();
  play(conversation);
  const file = join(directory, 'conversation.pcap');
  await writeFile(file, pcapFile(conversation.frames));
  const { stdout } = await run('tshark', [
    ...['-r', file, '-Y', 'tcp.srcport == 443 and tcp.len > 0', '-T', 'fields', '-E', 'separator=|'],
    ...['-e', 'tcp.analysis.retransmission', '-e', 'tcp.analysis.out_of_order'],
  ]);
  const marks = stdout.split('\n').map((line) => line.split('|'));
  const [flow] = analyzeCapture(file, null).flows;
  return {
    ours: {
      retransmissions: flow?.retransmissionsDown ?? NaN,
      outOfOrder: flow?.outOfOrderDown ?? NaN,
    },
    tshark: {
      retransmissions: marks.filter(([resent = '']) => resent !== '').length,
      outOfOrder: marks.filter(([, late = '']) => late !== '').length,
    },
  };
}

const certain: [string, Counts, (conversation: Conversation) => void][] = [
  [
    'a segment overtaken by the next one',
    { retransmissions: 0, outOfOrder: 1 },
    (c) => {
      c.data(0);
      c.data(2);
      c.wait(0.1);
      c.data(1);
      c.data(3);
    },
  ],
  [
    'one sent again after a time-out',
    { retransmissions: 1, outOfOrder: 0 },
    (c) => {
      c.data(0);
      c.data(2);
      c.acknowledge(1);
      c.wait(15 * rttMs);
      c.data(1);
    },
  ],
  [
    'one sent again since three ACKs asked for it (RFC 5681 section 3.2)',
    { retransmissions: 1, outOfOrder: 0 },
    (c) => {
      c.data(0);
      c.acknowledge(1);
      for (const index of [2, 3, 4]) {
        c.wait(1);
        c.data(index);
        c.acknowledge(1);
      }
      c.wait(19);
      c.data(5);
      c.data(1);
    },
  ],
  [
    'one sent again though it was acknowledged',
    { retransmissions: 1, outOfOrder: 0 },
    (c) => {
      c.data(0);
      c.data(1);
      c.acknowledge(2);
      c.wait(2 * rttMs);
      c.data(0);
    },
  ],
  [
    'a keep-alive probe (RFC 9293 section 3.8.4)',
    { retransmissions: 0, outOfOrder: 0 },
    (c) => {
      c.data(0);
      c.acknowledge(1);
      c.wait(45_000);
      c.keepAlive(0);
      c.acknowledge(1);
    },
  ],
];

it.each(certain)('are counted as tshark counts them: %s', async (_name, expected, play) => {
  const { ours, tshark } = await bothReadings(play);
  expect(tshark).toEqual(expected);
  expect(ours).toEqual(expected);
});

it('are the same segments as tshark finds, though it takes a late repair by SACK for one overtaken', async () => {
  const { ours, tshark } = await bothReadings((c) => {
    // Segments 1 and 3 are lost; new ones come every 2 ms, and one round trip later both lost ones, again.
    c.data(0);
    c.acknowledge(1);
    for (const index of [2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]) {
      c.wait(2);
      c.data(index);
      c.acknowledge(1);
    }
    c.data(1);
    c.acknowledge(3);
    c.wait(0.1);
    c.data(3);
  });
  expect(ours).toEqual({ retransmissions: 2, outOfOrder: 0 });
  expect(tshark).toEqual({ retransmissions: 1, outOfOrder: 1 });
});
