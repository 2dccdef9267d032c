import type { ConnectionReader } from '../../../native-host/wire/http/connection-reader.ts';
import { HpackDecoder } from '../../../native-host/wire/http/fields/hpack-decoder.ts';
import { QpackDecoder } from '../../../native-host/wire/http/fields/qpack-decoder.ts';
import { Http1Reader } from '../../../native-host/wire/http/http1-reader.ts';
import { Http2Reader } from '../../../native-host/wire/http/http2-reader.ts';
import { Http3Reader } from '../../../native-host/wire/http/http3-reader.ts';
import type { HttpExchange } from '../../../native-host/wire/http/http-exchange.ts';
import type { Direction, Span } from '../../../native-host/wire/stream-sink.ts';
import type { Random } from '../../../shared/stats/seeded-generator.ts';
import { fixturePlaintext } from './fixture-plaintext.ts';
import { inPieces, must, type FuzzedParser } from './parser.ts';
import { below } from './spoilt.ts';

/** What QPACK is allowed to keep, bytes. */
const tableBytes = 4096;

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll(/\s/g, ''), 'hex');

const spanAt = (atMs: number): Span => ({ firstAtMs: atMs, lastAtMs: atMs, deliveredAtMs: atMs });

/** Nothing is counted that was not sent. */
function mustBeSane(exchanges: readonly HttpExchange[], notes: readonly string[], fedBytes: number): void {
  const counted = exchanges.reduce((sum, e) => sum + e.requestBytes + e.responseBytes, 0);
  must(counted <= fedBytes, 'requests and responses have no more bytes than their connection');
  must(notes.length < 10, 'a note is said once');
}

function feedConnection(
  reader: ConnectionReader,
  spoiltBytes: Uint8Array,
  other: Uint8Array,
  random: Random,
): void {
  const isUp = random() < 0.5;
  for (const direction of ['up', 'down'] as const) {
    const bytes = (direction === 'up') === isUp ? spoiltBytes : other;
    inPieces(bytes, random, 900, (piece, at) => {
      reader.onApplicationData(direction, piece, spanAt(at));
    });
    if (random() < 0.2) reader.onApplicationGap(direction, 0);
    reader.onEnd(direction);
  }
  mustBeSane(reader.exchanges, reader.notes, spoiltBytes.length + other.length);
}

const chunked = {
  up: 'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
  down: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\nT: 1\r\n\r\n',
};
const http1 = [fixturePlaintext('h1'), { up: Buffer.from(chunked.up), down: Buffer.from(chunked.down) }];
const http2 = fixturePlaintext('h2');
/** A control stream, a QPACK encoder's, a request and its response; a push. RFC 9114, RFC 9204 appendix B. */
const http3: readonly (readonly [Direction, number, Buffer])[] = [
  ['down', 3, bytesOf('00 04 03 01 40dc 07 01 00')],
  ['up', 2, bytesOf('02 3fbd01 c00f 7777772e6578616d706c652e636f6d c10c 2f73616d706c652f70617468 02 01')],
  ['up', 4, bytesOf('01 04 0381 10 11 00 02 6162')],
  ['down', 4, bytesOf('05 06 00 0000 d1 d7 c1 01 03 0000 d9 00 04 61626364 21 01 00')],
  ['down', 15, bytesOf('01 00 01 03 0000 d9 00 02 6162')],
];

/** The parsers of HTTP. */
export const httpParsers: readonly FuzzedParser[] = [
  {
    name: 'HTTP/1.1',
    samples: http1.flatMap(({ up, down }) => [up, down]),
    feed(bytes, random) {
      const other = http1[below(random, http1.length)]?.down ?? bytes;
      feedConnection(new Http1Reader('https'), bytes, other, random);
    },
  },
  {
    name: 'HTTP/2 with HPACK',
    samples: [http2.up, http2.down],
    feed(bytes, random) {
      feedConnection(new Http2Reader(), bytes, random() < 0.5 ? http2.up : http2.down, random);
    },
  },
  {
    name: 'HTTP/3 with QPACK',
    samples: http3.map(([, , bytes]) => bytes),
    feed(bytes, random) {
      const reader = new Http3Reader();
      const spoiltStream = below(random, http3.length);
      let fedBytes = 0;
      for (const [index, [direction, streamId, sample]] of http3.entries()) {
        const sent = index === spoiltStream ? bytes : sample;
        fedBytes += sent.length;
        inPieces(sent, random, 60, (piece, at) => {
          const skipped = random() < 0.02 ? 1 : 0;
          reader.onStreamData(direction, streamId, at + skipped, piece, random() < 0.05, spanAt(at));
        });
        if (random() < 0.1) reader.onStreamReset(direction, streamId);
      }
      mustBeSane(reader.exchanges, reader.notes, fedBytes);
    },
  },
  {
    name: 'HPACK',
    // RFC 7541 appendix C: literals, indexed fields, Huffman code, a size update.
    samples: [
      '82 86 84 41 8c f1e3c2e5f23a6ba0ab90f4ff 82 86 84 be 58 86 a8eb10649cbf',
      '40 88 25a849e95ba97d7f 89 25a849e95bb8e8b4bf 3fe11f 04 0c 2f73616d706c652f70617468',
      '48 03 333032 58 07 70726976617465 61 1d 4d6f6e2c203231204f637420323031332032303a31333a323120474d54',
    ].map(bytesOf),
    feed(bytes) {
      const decoder = new HpackDecoder();
      let fieldChars = 0;
      decoder.decode(bytes, (name, value) => (fieldChars += name.length + value.length));
      // A byte may name an entry of the table, at most as long as the table.
      must(fieldChars <= bytes.length * tableBytes, 'fields come from the block or the table');
    },
  },
  {
    name: 'QPACK',
    samples: [
      '3fbd01 c00f 7777772e6578616d706c652e636f6d c10c 2f73616d706c652f70617468',
      '4a 637573746f6d2d6b65790c 637573746f6d2d76616c7565 02 81 0d 637573746f6d2d76616c756532',
      '0381 10 11 0500 80 c1 81',
      '0000 510b 2f696e6465782e68746d6c',
    ].map(bytesOf),
    feed(bytes, random) {
      const decoder = new QpackDecoder();
      decoder.maxTableCapacityBytes = tableBytes;
      inPieces(bytes, random, 20, (piece) => {
        decoder.pushInstructions(piece);
      });
      let fieldChars = 0;
      decoder.decodeSection(bytes, (name, value) => (fieldChars += name.length + value.length));
      must(decoder.table.sizeBytes <= tableBytes, 'the table keeps to its capacity');
      must(fieldChars <= bytes.length * tableBytes, 'fields come from the section or the table');
    },
  },
];
