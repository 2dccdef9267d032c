import { readdirSync, readFileSync } from 'node:fs';
import { KeyLog } from '../../../native-host/wire/keys/key-log.ts';
import { QuicConnection } from '../../../native-host/wire/quic/quic-connection.ts';
import { readFrames } from '../../../native-host/wire/quic/read-frames.ts';
import type { Direction } from '../../../native-host/wire/stream-sink.ts';
import { parseClientHello } from '../../../native-host/wire/tls/client-hello.ts';
import { parseEncryptedExtensions } from '../../../native-host/wire/tls/encrypted-extensions.ts';
import { parseServerHello } from '../../../native-host/wire/tls/server-hello.ts';
import { TlsConnection } from '../../../native-host/wire/tls/tls-connection.ts';
import { must, type FuzzedParser } from './parser.ts';
import { below } from './spoilt.ts';

/** A conversation of tests/fixtures/wire: what was sent, by whom, and its keys. */
interface Recorded {
  readonly keyLog: string;
  readonly pieces: readonly { readonly direction: Direction; readonly bytes: Buffer }[];
}

function recorded(kind: 'tls' | 'quic'): Recorded[] {
  const directory = 'tests/fixtures/wire';
  const names = readdirSync(directory).filter(
    (name) => name.startsWith(`${kind}-`) && name.endsWith('.json'),
  );
  return names.map((name) => {
    const { keyLog, chunks, datagrams } = JSON.parse(readFileSync(`${directory}/${name}`, 'utf8')) as Record<
      'chunks' | 'datagrams',
      { direction: Direction; base64: string }[] | undefined
    > & { keyLog: string };
    const pieces = (chunks ?? datagrams ?? []).map(({ direction, base64 }) => ({
      direction,
      bytes: Buffer.from(base64, 'base64'),
    }));
    return { keyLog, pieces };
  });
}

/** Reads conversation after conversation; each spoilt input takes the place of the piece that is next. */
class Conversations<Connection> {
  readonly samples: readonly Uint8Array[];
  readonly #all: readonly Recorded[];
  readonly #open: (keyLog: KeyLog) => Connection;
  readonly #close: (connection: Connection) => void;
  #conversation = 0;
  #piece = 0;
  #connection: Connection | null = null;

  constructor(
    all: readonly Recorded[],
    open: (keyLog: KeyLog) => Connection,
    close: (connection: Connection) => void,
  ) {
    this.samples = all.flatMap(({ pieces }) => pieces.map(({ bytes }) => bytes));
    this.#all = all;
    this.#open = open;
    this.#close = close;
  }

  /** The piece that is next, and the connection that it belongs to. */
  next(): { connection: Connection; direction: Direction; bytes: Buffer } {
    let { keyLog, pieces } = this.#all[this.#conversation] ?? { keyLog: '', pieces: [] };
    if (this.#piece >= pieces.length) {
      if (this.#connection !== null) this.#close(this.#connection);
      this.#connection = null;
      this.#piece = 0;
      this.#conversation = (this.#conversation + 1) % this.#all.length;
      ({ keyLog, pieces } = this.#all[this.#conversation] ?? { keyLog: '', pieces: [] });
    }
    if (this.#connection === null) {
      const log = new KeyLog();
      log.add(keyLog);
      this.#connection = this.#open(log);
    }
    const { direction, bytes } = pieces[this.#piece++] ?? { direction: 'up', bytes: Buffer.alloc(0) };
    return { connection: this.#connection, direction, bytes };
  }
}

let tlsFedBytes = 0;
let tlsReadBytes = 0;
const tlsConversations = new Conversations(
  recorded('tls'),
  (keyLog) => {
    tlsFedBytes = tlsReadBytes = 0;
    return new TlsConnection(keyLog, {
      onRecord: () => undefined,
      onApplicationData: (_direction, plaintext) => (tlsReadBytes += plaintext.length),
      onApplicationGap: () => undefined,
    });
  },
  (connection) => {
    connection.finish();
  },
);

let quicFedBytes = 0;
let quicReadBytes = 0;
const quicConversations = new Conversations(
  recorded('quic'),
  (keyLog) => {
    quicFedBytes = quicReadBytes = 0;
    return new QuicConnection(keyLog, {
      onPacket: () => undefined,
      onStreamData: (_direction, _streamId, _offset, bytes) => (quicReadBytes += bytes.length),
      onStreamReset: () => undefined,
    });
  },
  (connection) => {
    connection.finish(0);
  },
);

/** Frames of every type, RFC 9000 section 19, and those of extensions. */
const frameSamples = [
  '01 02 41 00 05 01 03 02 01 03 43 21 41 01 02 00 05 01 02 03',
  '04 00 41 0c 44 00 05 04 41 0c 06 00 08 01 00 00 04 aa bb cc dd 07 03 01 02 03',
  '08 00 61 62 63',
  '0f 04 40 10 03 61 62 63 0b 08 02 61 62 0d 0c 05 61',
  '10 44 00 11 04 44 00 12 08 13 08 14 44 00 15 04 44 00 16 08 17 08',
  '18 02 01 04 aabbccdd 00112233445566778899aabbccddeeff 19 01',
  '1a 0102030405060708 1b 0102030405060708 1e 1f',
  '1c 0a 06 03 616263 1d 41 00 00 31 02 6162 30 616263',
  'af 01 02 03 04 24 00 41 0c 44 00 10',
].map((hex) => Buffer.from(hex.replaceAll(' ', ''), 'hex'));

const firstHello = tlsConversations.samples[0] ?? Buffer.alloc(0);

/** The parsers of TLS and QUIC. */
export const encryptedParsers: readonly FuzzedParser[] = [
  {
    name: 'TLS connections',
    samples: tlsConversations.samples,
    feed(bytes, random) {
      const { connection, direction, bytes: sent } = tlsConversations.next();
      // Most are left as they are, or there would be no keys to speak of.
      const piece = random() < 0.3 ? bytes : sent;
      tlsFedBytes += piece.length;
      if (random() < 0.05) connection.onGap(direction, 1 + below(random, 2 ** 31), 0);
      else connection.onBytes(direction, piece, 0, 0);
      must(tlsReadBytes <= tlsFedBytes, 'no more is opened than was sealed');
    },
  },
  {
    name: 'TLS hellos',
    // Without the headers of record and message.
    samples: [firstHello.subarray(9), firstHello],
    feed(bytes) {
      parseClientHello(bytes);
      parseServerHello(bytes);
      parseEncryptedExtensions(bytes);
    },
  },
  {
    name: 'QUIC connections',
    samples: quicConversations.samples,
    feed(bytes, random) {
      const { connection, direction, bytes: sent } = quicConversations.next();
      const datagram = random() < 0.3 ? bytes : sent;
      quicFedBytes += datagram.length;
      connection.onDatagram(direction, datagram, 0);
      connection.claims(datagram);
      must(quicReadBytes <= quicFedBytes, 'no more is opened than was sealed');
    },
  },
  {
    name: 'QUIC frames',
    samples: frameSamples,
    feed(bytes) {
      let readBytes = 0;
      let frames = 0;
      const count = (): void => {
        frames += 1;
      };
      const stoppedAt = readFrames(bytes, {
        onAck: count,
        onAckEliciting: () => undefined,
        onCrypto: (_offset, piece) => (readBytes += piece.length),
        onStream: (_streamId, _offset, piece) => (readBytes += piece.length),
        onResetStream: count,
        onStopSending: count,
        onNewConnectionId: count,
        onPathChallenge: count,
        onHandshakeDone: count,
        onConnectionClose: count,
      });
      must(readBytes + frames <= bytes.length, 'frames have no more bytes than their packet');
      must(stoppedAt === null || stoppedAt >= 0, 'reading ends at the end or at a type');
    },
  },
];
