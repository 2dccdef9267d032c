import { describe, expect, it } from 'vitest';
import { KeyLog } from '../../../../../native-host/wire/keys/key-log.ts';
import { looksLikeQuicInitial } from '../../../../../native-host/wire/quic/looks-like-quic-initial.ts';
import { QuicConnection } from '../../../../../native-host/wire/quic/quic-connection.ts';
import { readFrames, type FrameVisitor } from '../../../../../native-host/wire/quic/read-frames.ts';
import type { QuicSink } from '../../../../../native-host/wire/stream-sink.ts';
import { SeededRandom } from '../seeded-random.ts';
import { loadConversation } from './quic-conversation.ts';
import * as rfc from './rfc-packets.ts';

const conversations = await Promise.all(['v1-retry', '0-rtt', 'key-update', 'v2'].map(loadConversation));

/** Counts, and keeps nothing. */
class CountingSink implements QuicSink {
  packets = 0;
  bytes = 0;

  onPacket(): void {
    this.packets += 1;
  }

  onStreamData(_direction: string, _streamId: number, _offset: number, bytes: Uint8Array): void {
    this.bytes += bytes.length;
  }

  onStreamReset(): void {
    this.packets += 0;
  }
}

describe('QUIC reading on damaged bytes', () => {
  it('never throws, and reads the packets that are whole', () => {
    for (let seed = 1; seed <= 120; seed += 1) {
      const random = new SeededRandom(seed);
      const { keyLog, datagrams } = conversations[seed % conversations.length] ?? {
        keyLog: '',
        datagrams: [],
      };
      const log = new KeyLog();
      const sink = new CountingSink();
      const connection = new QuicConnection(log, sink);
      const keysAt = random.below(datagrams.length);
      for (const [index, { direction, bytes, atMs }] of datagrams.entries()) {
        if (index === keysAt) {
          log.add(keyLog);
          connection.flush();
        }
        const sent = random.below(4) === 0 ? random.damage(bytes) : bytes;
        connection.onDatagram(random.below(50) === 0 ? 'up' : direction, sent, atMs);
        if (random.below(20) === 0) connection.onDatagram(direction, random.bytes(random.below(1500)), atMs);
      }
      connection.finish(1000);
      expect(sink.packets).toBeGreaterThan(0);
      expect(sink.bytes).toBeLessThanOrEqual(2 * 19_500);
    }
  });

  it('reads a datagram cut at every length', () => {
    for (const packet of [rfc.clientInitialV1, rfc.serverInitialV2, rfc.retryV1, rfc.chachaPacket]) {
      for (let length = 0; length < packet.length; length += 1) {
        const cut = packet.subarray(0, length);
        const connection = new QuicConnection(new KeyLog(), new CountingSink());
        connection.onDatagram('up', cut, 0);
        connection.onDatagram('down', cut, 0);
        connection.claims(cut);
        connection.finish(0);
        looksLikeQuicInitial(cut);
        expect(connection.handshake.clientRandom).toBeNull();
      }
    }
  });

  it('walks frames that lie about their lengths, each to the end or to a named type', () => {
    let seen = 0;
    const count = (): void => {
      seen += 1;
    };
    const visitor: FrameVisitor = {
      onAck: count,
      onAckEliciting: () => undefined,
      onCrypto: (_offset, bytes) => (seen += bytes.length),
      onStream: (_streamId, _offset, bytes) => (seen += bytes.length),
      onResetStream: count,
      onStopSending: count,
      onNewConnectionId: count,
      onPathChallenge: count,
      onHandshakeDone: count,
      onConnectionClose: count,
    };
    const random = new SeededRandom(7);
    for (let round = 0; round < 20_000; round += 1) {
      const payload = round % 2 === 0 ? random.bytes(random.below(64)) : random.damage(rfc.clientCryptoFrame);
      seen = 0;
      const stopped = readFrames(payload, visitor);
      expect(stopped === null || stopped >= 0).toBe(true);
      expect(seen).toBeLessThanOrEqual(payload.length);
    }
  });
});
