import { readFileSync } from 'node:fs';
import { CaptureReader } from '../../../native-host/wire/capture-file/capture-reader.ts';
import { KeyLog } from '../../../native-host/wire/keys/key-log.ts';
import { linkType } from '../../../native-host/wire/packet/link-type.ts';
import { ipProtocol, Packet } from '../../../native-host/wire/packet/packet.ts';
import { Segment } from '../../../native-host/wire/tcp/segment.ts';
import { TcpFlow } from '../../../native-host/wire/tcp/tcp-flow.ts';
import type { Random } from '../../../shared/stats/seeded-generator.ts';
import { fixtureFrames, fixtureKeys } from '../frames.ts';
import { ethernet, ipv4, ipv6, udp } from '../ip-packets.ts';
import { pcapFile } from '../pcap-file.ts';
import { pcapngFile } from '../pcapng-file.ts';
import { inPieces, must, type FuzzedParser } from './parser.ts';
import { below } from './spoilt.ts';

const arms = ['h1', 'h2', 'h3'] as const;
const frames = arms.flatMap((arm) => fixtureFrames(arm).slice(0, 40));
const links = [...Object.values(linkType), 12, 14, 147];

function readCapture(bytes: Uint8Array, random: Random): void {
  let framesBytes = 0;
  let keysChars = 0;
  const reader = new CaptureReader({
    onFrame: (frame) => (framesBytes += frame.length),
    onKeyLog: (text) => (keysChars += text.length - 1),
  });
  inPieces(bytes, random, 4000, (piece) => {
    reader.push(piece);
  });
  reader.end();
  must(framesBytes + keysChars <= bytes.length, 'a capture holds no more than its file');
}

/** Frames of every kind: fixtures', and what they lack. */
function frameSamples(): Uint8Array[] {
  const datagram = udp(Buffer.alloc(64, 7));
  const hopByHop = Buffer.concat([Buffer.from([44, 0, 1, 4, 0, 0, 0, 0])]);
  const fragment = Buffer.concat([Buffer.from([17, 0, 0, 1, 0, 0, 0, 9]), datagram.subarray(0, 40)]);
  return [
    ...frames.map(({ bytes }) => bytes),
    ethernet(ipv4(datagram), 0x0800, [0x88a8, 0x8100]),
    ethernet(ipv4(datagram, { optionBytes: 8 })),
    ethernet(ipv4(datagram.subarray(0, 40), { moreFragments: true, identification: 5 })),
    ethernet(ipv4(datagram.subarray(40), { fragmentOffset: 5, identification: 5 })),
    ethernet(ipv6(Buffer.concat([hopByHop, fragment]), 0), 0x86dd),
    ipv4(datagram),
    ipv6(datagram),
  ];
}

/** Of one run of frames: a connection goes on through spoilt segments. */
class FramesParser implements FuzzedParser {
  readonly name = 'link layers, IP and TCP';
  readonly samples = frameSamples();
  #packet = new Packet();
  readonly #segment = new Segment();
  #flow = this.#newFlow();
  #fed = 0;
  #deliveredBytes = 0;
  #payloadBytes = 0;

  feed(bytes: Uint8Array, random: Random): void {
    if (this.#fed++ % 1000 === 0) {
      this.#packet = new Packet();
      this.#flow = this.#newFlow();
      this.#deliveredBytes = this.#payloadBytes = 0;
    }
    const packet = this.#packet;
    const link = random() < 0.7 ? linkType.ethernet : (links[below(random, links.length)] ?? 0);
    const originalBytes = random() < 0.8 ? bytes.length : below(random, 2 ** 32);
    if (!packet.decode(bytes, link, originalBytes)) {
      must(packet.other !== '', 'a frame that is not read is named');
      return;
    }
    const { transportAt, capturedEnd, wireEnd } = packet;
    must(transportAt <= capturedEnd && capturedEnd <= packet.bytes.length, 'a packet ends in its frame');
    must(capturedEnd <= wireEnd, 'no more is captured than was sent');
    if (packet.protocol !== ipProtocol.tcp || !this.#segment.read(packet)) return;
    this.#payloadBytes += this.#segment.payloadCapturedEnd - this.#segment.payloadAt;
    this.#flow.segment(random() < 0.5 ? 'up' : 'down', this.#segment, this.#fed);
    must(this.#deliveredBytes <= this.#payloadBytes, 'a stream has no more bytes than its segments');
  }

  #newFlow(): TcpFlow {
    const flow = new TcpFlow();
    flow.sink = {
      onBytes: (_direction, bytes) => (this.#deliveredBytes += bytes.length),
      onGap: (_direction, lengthBytes) => {
        must(lengthBytes > 0, 'a gap has a length');
      },
    };
    return flow;
  }
}

const keyLogParser: FuzzedParser = {
  name: 'key log',
  samples: arms.map((arm) => Buffer.from(fixtureKeys(arm))),
  feed(bytes, random) {
    const log = new KeyLog();
    inPieces(bytes, random, 500, (piece) => {
      log.add(Buffer.from(piece).toString('latin1'));
    });
    log.end();
    const lines = Buffer.from(bytes).toString('latin1').split('\n').length;
    must(log.connections + log.badLines <= lines, 'a line is a secret or a bad line');
  },
};

/** The parsers of files, frames and keys. */
export const captureParsers: readonly FuzzedParser[] = [
  {
    name: 'pcap',
    samples: [
      pcapFile(frames.slice(0, 20)),
      ...arms.map((arm) => readFileSync(`tests/fixtures/wire/page-load-${arm}.pcap`).subarray(0, 4000)),
    ],
    feed: readCapture,
  },
  {
    name: 'pcapng',
    samples: [
      pcapngFile(frames.slice(0, 12), { keyLog: fixtureKeys('h2') }),
      pcapngFile(frames.slice(20, 30), { bigEndian: true }),
    ],
    feed: readCapture,
  },
  new FramesParser(),
  keyLogParser,
];
