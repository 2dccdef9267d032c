import { describe, expect, it } from 'vitest';
import type { Direction } from '../../../../../native-host/wire/stream-sink.ts';
import type { HttpExchange } from '../../../../../native-host/wire/http/http-exchange.ts';
import { Http1Reader } from '../../../../../native-host/wire/http/http1-reader.ts';
import { Http2Reader } from '../../../../../native-host/wire/http/http2-reader.ts';
import { Http3Reader } from '../../../../../native-host/wire/http/http3-reader.ts';
import { hex } from './hex.ts';
import { spanAt } from './span-at.ts';

const rounds = 3000;

/** Octets at which the meaning of a prefix or a length changes. */
const edges = [0, 0x3f, 0x40, 0x7f, 0x80, 0xbf, 0xc0, 0xff];

/** Mulberry32: the same inputs in every run. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** Flips, overwrites, repeats, cuts out and cuts off. */
function spoil(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  let spoilt = bytes.slice();
  for (let i = random(6); i >= 0 && spoilt.length > 0; i -= 1) {
    const at = random(spoilt.length);
    switch (random(5)) {
      case 0:
        spoilt[at] = (spoilt[at] ?? 0) ^ (1 << random(8));
        break;
      case 1:
        spoilt[at] = edges[random(edges.length)] ?? 0;
        break;
      case 2:
        spoilt = Buffer.concat([spoilt.subarray(0, at), spoilt.subarray(Math.max(0, at - random(40)))]);
        break;
      case 3:
        spoilt = Buffer.concat([spoilt.subarray(0, at), spoilt.subarray(at + random(9))]);
        break;
      case 4:
        spoilt = spoilt.subarray(0, random(spoilt.length + 1));
        break;
    }
  }
  return spoilt;
}

/** Hands over the bytes in pieces of random sizes. */
function inPieces(
  bytes: Uint8Array,
  random: (below: number) => number,
  take: (piece: Uint8Array, at: number) => void,
): void {
  for (let at = 0; at < bytes.length;) {
    const count = Math.min(bytes.length - at, 1 + random(60));
    take(bytes.subarray(at, at + count), at);
    at += count;
  }
}

/** What must hold of any input: nothing counted that was not sent, and no time that was not given. */
function expectSane(exchanges: readonly HttpExchange[], notes: readonly string[], fedBytes: number): void {
  const counted = exchanges.reduce(
    (sum, { requestBytes, responseBytes }) => sum + requestBytes + responseBytes,
    0,
  );
  expect(counted).toBeLessThanOrEqual(fedBytes);
  expect(notes.length).toBeLessThan(10);
  for (const { responseFirstAtMs, responseLastAtMs, segments, responseBytes } of exchanges) {
    expect((responseFirstAtMs === null) === (responseLastAtMs === null)).toBe(true);
    expect(segments.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(responseBytes);
  }
}

const http1 = {
  up: Buffer.from(
    'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n',
  ),
  down: Buffer.from(
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\nT: 1\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd',
  ),
};

const http2 = {
  up: Buffer.concat([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    hex(`000000 04 00 00000000 000011 01 05 00000001 8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff
         000003 01 01 00000003 8287 85 000001 09 00 00000003 bf 00000c 09 04 00000003 4088 25a8 49e9 5ba9 7d7f 0161`),
  ]),
  down: hex(`000000 04 00 00000000 000007 05 04 00000001 00000002 828684 000001 01 04 00000001 88
             000008 00 09 00000001 03 61626364 000000 000004 03 00 00000003 00000008`),
};

const http3: [Direction, number, Uint8Array][] = [
  ['down', 3, hex('00 04 03 01 40dc 07 01 00')],
  [
    'up',
    2,
    hex('02 3fbd01 c00f 7777 772e 6578 616d 706c 652e 636f 6d c10c 2f73 616d 706c 652f 7061 7468 02 01'),
  ],
  ['up', 4, hex('01 04 0381 10 11 00 02 6162')],
  ['down', 4, hex('05 06 00 0000 d1 d7 c1 01 03 0000 d9 00 04 61626364 21 01 00')],
  ['down', 15, hex('01 00 01 03 0000 d9 00 02 6162')],
];

describe('The HTTP readers take any bytes', () => {
  it.each([
    ['Http1Reader', http1, () => new Http1Reader('https')],
    ['Http2Reader', http2, () => new Http2Reader()],
  ])('%s', (_, sample, create) => {
    const random = generator(1);
    for (let round = 0; round < rounds; round += 1) {
      const reader = create();
      let fedBytes = 0;
      for (const direction of ['up', 'down'] as const) {
        const bytes = spoil(sample[direction], random);
        fedBytes += bytes.length;
        inPieces(bytes, random, (piece, at) => {
          reader.onApplicationData(direction, piece, spanAt(at));
        });
        if (random(4) === 0) reader.onApplicationGap(direction);
        reader.onEnd(direction);
      }
      expectSane(reader.exchanges, reader.notes, fedBytes);
    }
  });

  it('Http3Reader', () => {
    const random = generator(2);
    for (let round = 0; round < rounds; round += 1) {
      const reader = new Http3Reader();
      let fedBytes = 0;
      for (const [direction, streamId, sample] of http3) {
        const bytes = spoil(sample, random);
        fedBytes += bytes.length;
        inPieces(bytes, random, (piece, at) => {
          reader.onStreamData(
            direction,
            streamId,
            at + (random(50) === 0 ? 1 : 0),
            piece,
            random(20) === 0,
            spanAt(at),
          );
        });
        if (random(4) === 0) reader.onStreamReset(direction, streamId);
      }
      expectSane(reader.exchanges, reader.notes, fedBytes);
    }
  });

  it('bytes that were never HTTP', () => {
    const random = generator(3);
    for (let round = 0; round < rounds; round += 1) {
      const noise = Uint8Array.from({ length: random(300) }, () => random(256));
      for (const reader of [new Http1Reader('http'), new Http2Reader()]) {
        for (const direction of ['up', 'down'] as const) {
          inPieces(noise, random, (piece, at) => {
            reader.onApplicationData(direction, piece, spanAt(at));
          });
        }
        expectSane(reader.exchanges, reader.notes, 2 * noise.length);
      }
      const reader = new Http3Reader();
      for (const streamId of [0, 2, 3, 7, 15]) {
        const direction = (streamId & 1) === 0 ? 'up' : 'down';
        inPieces(noise, random, (piece, at) => {
          reader.onStreamData(direction, streamId, at, piece, false, spanAt(at));
        });
      }
      expectSane(reader.exchanges, reader.notes, 5 * noise.length);
    }
  });
});
