import { describe, expect, it } from 'vitest';
import { KeyLog } from '../../../../../native-host/wire/keys/key-log.ts';
import { parseClientHello } from '../../../../../native-host/wire/tls/client-hello.ts';
import { parseEncryptedExtensions } from '../../../../../native-host/wire/tls/encrypted-extensions.ts';
import { parseServerHello } from '../../../../../native-host/wire/tls/server-hello.ts';
import { TlsConnection } from '../../../../../native-host/wire/tls/tls-connection.ts';
import { SeededRandom } from '../seeded-random.ts';
import { RecordingSink } from './recording-sink.ts';
import { converse, makeIdentity } from './tls-conversation.ts';

const identity = await makeIdentity();
const payload = Buffer.alloc(20_000, 'towline ');
const conversations = await Promise.all([
  converse({ version: 'TLSv1.3', suite: 'TLS_AES_128_GCM_SHA256', up: payload, down: payload, identity }),
  converse({
    version: 'TLSv1.2',
    suite: 'ECDHE-ECDSA-CHACHA20-POLY1305',
    up: payload,
    down: payload,
    identity,
  }),
]);

describe('TLS reading on damaged bytes', () => {
  it('never throws, and gives no byte that was not sent', () => {
    for (let seed = 1; seed <= 150; seed += 1) {
      const random = new SeededRandom(seed);
      const { chunks, keyLog } = conversations[seed % 2] ?? { chunks: [], keyLog: '' };
      const log = new KeyLog();
      const sink = new RecordingSink();
      const connection = new TlsConnection(random.below(10) === 0 ? null : log, sink);
      const keysAt = random.below(chunks.length);
      for (const [index, { direction, bytes }] of chunks.entries()) {
        if (index === keysAt) {
          log.add(keyLog);
          connection.flush();
        }
        for (let at = 0; at < bytes.length;) {
          const piece = bytes.subarray(at, at + 1 + random.below(3000));
          at += piece.length;
          const fate = random.below(30);
          if (fate === 0) connection.onGap(direction, piece.length, index);
          else connection.onBytes(direction, fate === 1 ? random.damage(piece) : piece, index, index);
        }
      }
      connection.finish();
      for (const { bytes } of sink.pieces) expect(payload.includes(bytes) || bytes.length === 0).toBe(true);
      for (const { lengthBytes } of sink.records) expect(lengthBytes).toBeLessThanOrEqual(2 ** 14 + 2048);
    }
  });

  it('survives bytes that are no TLS at all', () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = new SeededRandom(seed);
      const connection = new TlsConnection(new KeyLog(), new RecordingSink());
      connection.onBytes('up', Uint8Array.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]), 0, 0);
      for (let piece = 0; piece < 20; piece += 1) {
        const direction = random.below(2) === 0 ? 'up' : 'down';
        if (random.below(5) === 0) connection.onGap(direction, random.below(2 ** 31), piece);
        connection.onBytes(direction, random.bytes(random.below(400)), piece, piece);
      }
      connection.finish();
      expect(connection.keyed).toBe(false);
    }
  });

  it('parses hellos cut at every length and with every byte changed', () => {
    const first = conversations[0].chunks[0];
    const hello = first?.bytes.subarray(9) ?? Buffer.alloc(0);
    expect(parseClientHello(hello)?.sni).toBe('site.test');
    for (let at = 0; at < hello.length; at += 1) {
      const changed = Uint8Array.from(hello);
      changed[at] = 0xff;
      for (const bytes of [hello.subarray(0, at), changed]) {
        parseClientHello(bytes);
        parseServerHello(bytes);
        parseEncryptedExtensions(bytes);
      }
    }
  });
});
