import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { KeyLog } from '../../../../../native-host/wire/keys/key-log.ts';
import { looksLikeQuicInitial } from '../../../../../native-host/wire/quic/looks-like-quic-initial.ts';
import { QuicConnection } from '../../../../../native-host/wire/quic/quic-connection.ts';
import { loadConversation, pattern, read, RecordingQuicSink } from './quic-conversation.ts';
import * as rfc from './rfc-packets.ts';

const retry = await loadConversation('v1-retry');

function expectWholeStreams(sink: RecordingQuicSink): void {
  expect(sink.whole('up', 0)?.equals(pattern(300))).toBe(true);
  expect(sink.whole('up', 4)?.equals(pattern(200))).toBe(true);
  expect(sink.whole('down', 0)?.equals(pattern(15_000))).toBe(true);
  expect(sink.whole('down', 4)?.equals(pattern(4000))).toBe(true);
}

describe('conversations of aioquic', () => {
  it.each([
    { name: 'v1-retry', version: 'v1', cipherSuite: 'TLS_AES_128_GCM_SHA256' },
    { name: 'v2', version: 'v2', cipherSuite: 'TLS_AES_256_GCM_SHA384' },
    { name: 'v1-to-v2', version: 'v2' },
    { name: 'version-negotiation', version: 'v1' },
    { name: 'key-update', version: 'v1', cipherSuite: 'TLS_CHACHA20_POLY1305_SHA256' },
    { name: 'migration', version: 'v1' },
    { name: '0-rtt', version: 'v1' },
    { name: '0-rtt-refused', version: 'v1' },
  ])('$name: every stream is read whole', async ({ name, version, cipherSuite }) => {
    const conversation = await loadConversation(name);
    const { sink, connection } = read(conversation);
    expectWholeStreams(sink);
    expect(connection.version).toBe(version);
    expect(connection.keyed).toBe(true);
    expect(connection.notes).toEqual([]);
    expect(connection.handshake).toMatchObject({
      sni: 'site.test',
      alpnOffered: ['h3', 'hq-interop'],
      alpn: 'hq-interop',
      tlsVersion: '1.3',
      ...(cipherSuite && { cipherSuite }),
    });
    const { up, down } = connection.traffic;
    expect(up.datagrams + down.datagrams).toBe(conversation.datagrams.length);
    expect(up.bytes + down.bytes).toBe(
      conversation.datagrams.reduce((sum, { bytes }) => sum + bytes.length, 0),
    );
    expect(connection.close).toMatchObject({ direction: 'up', errorCode: 0 });
  });

  it('sees a Retry and keeps the first connection ID', () => {
    const { connection, sink } = read(retry);
    expect(connection.retry).toBe(true);
    expect(sink.packets.map(({ form }) => form)).toContain('retry');
    const [first] = retry.datagrams;
    expect(connection.connectionIds.original).toBe(first?.bytes.subarray(6, 14).toString('hex'));
  });

  it('sees a version negotiation', async () => {
    const { connection } = read(await loadConversation('version-negotiation'));
    expect(connection.versionNegotiation).toBe(true);
  });

  it('follows key updates of both sides', async () => {
    // The client's first, which the server follows; then the server's, which the client follows.
    expect(read(await loadConversation('key-update')).connection.keyUpdates).toBe(4);
    expect(read(retry).connection.keyUpdates).toBe(0);
  });

  it.each(['v2', 'key-update', 'migration', '0-rtt-refused'])(
    '%s: round trips by ACKs are those of the 40 ms path, and of a timer of 1 ms beside it',
    async (name) => {
      const conversation = await loadConversation(name);
      const summary = read(conversation).connection.ackRoundTrips.takeSummary();
      expect(summary?.minMs).toBeGreaterThanOrEqual(40);
      expect(summary?.maxMs).toBeLessThanOrEqual(41.5);
      const keyless = read(conversation, { keys: false }).connection;
      expect(keyless.ackRoundTrips.takeSummary()).toBeNull();
    },
  );

  it('tells 0-RTT that was taken from 0-RTT that was refused', async () => {
    const taken = read(await loadConversation('0-rtt'));
    expect(taken.connection.handshake).toMatchObject({
      resumed: true,
      earlyDataOffered: true,
      earlyData: true,
    });
    const refused = read(await loadConversation('0-rtt-refused'));
    expect(refused.connection.handshake).toMatchObject({ earlyDataOffered: true, earlyData: false });
    const request = taken.sink.pieces.find(({ direction, streamId }) => direction === 'up' && streamId === 0);
    expect(request?.span.firstAtMs).toBe(0);
    expect(read(await loadConversation('0-rtt'), { keys: false }).connection.handshake.earlyData).toBeNull();
  });

  it('claims the datagrams of a client that has moved', async () => {
    const { datagrams, keyLog } = await loadConversation('migration');
    const log = new KeyLog();
    log.add(keyLog);
    const connection = new QuicConnection(log, new RecordingQuicSink());
    let moved = 0;
    for (const { path, direction, bytes, atMs } of datagrams) {
      if (direction === 'up' && path === 1) {
        moved += 1;
        expect(connection.claims(bytes)).toBe(true);
      }
      connection.onDatagram(direction, bytes, atMs);
    }
    expect(moved).toBeGreaterThan(0);
    expect(connection.pathChallenges).toBeGreaterThan(0);
    expect(connection.claims(rfc.clientInitialV1)).toBe(false);
  });

  it('reports a stream that its sender gave up', async () => {
    const { sink } = read(await loadConversation('reset'));
    expect(sink.resets).toMatchObject([{ direction: 'down', streamId: 4 }]);
    expect(sink.whole('down', 4)).toBeNull();
    expect(sink.whole('down', 0)?.equals(pattern(15_000))).toBe(true);
  });

  it('tells SNI, ALPN and the packets without keys', () => {
    const { sink, connection } = read(retry, { keys: false });
    expect(connection.keyed).toBe(false);
    expect(sink.pieces).toEqual([]);
    expect(sink.packets).toEqual(read(retry).sink.packets);
    expect(connection.handshake).toMatchObject({ sni: 'site.test', alpn: null });
    expect(connection.firstShortUpAtMs).toBe(
      sink.packets.find(({ direction, form }) => direction === 'up' && form === 'short')?.atMs,
    );
  });

  it('opens everything when the keys come last, with the times of the packets', () => {
    const log = new KeyLog();
    const sink = new RecordingQuicSink();
    const connection = new QuicConnection(log, sink);
    for (const { direction, bytes, atMs } of retry.datagrams) {
      // The reader must not keep what it is lent.
      const lent = Uint8Array.from(bytes);
      connection.onDatagram(direction, lent, atMs);
      lent.fill(0xff);
    }
    expect(sink.pieces).toEqual([]);
    log.add(retry.keyLog);
    connection.flush();
    expectWholeStreams(sink);
    expect(sink.pieces).toEqual(read(retry).sink.pieces);
  });
});

describe('Chromium 156 with Caddy 2.6.2', () => {
  // The figures are those of tshark 4.0.17 with the same key log.
  it('is read as tshark reads it', async () => {
    const { sink, connection } = read(await loadConversation('chromium'));
    expect(sink.whole('up', 0)).toHaveLength(424);
    expect(sink.whole('down', 0)).toHaveLength(130);
    const onControlStream = sink.pieces.filter(
      ({ direction, streamId }) => direction === 'up' && streamId === 2,
    );
    expect(onControlStream.reduce((sum, { length }) => sum + length, 0)).toBe(55);
    expect(sink.pieces.findLast(({ direction }) => direction === 'down')?.span.lastAtMs).toBe(111.647);
    expect(connection.handshake).toMatchObject({
      sni: 'site.test',
      alpnOffered: ['h3'],
      alpn: 'h3',
      cipherSuite: 'TLS_AES_128_GCM_SHA256',
      resumed: false,
      serverHelloAtMs: 7.856,
      clientFinishedAtMs: 12.688,
    });
    expect(connection.notes).toEqual([]);
  });

  it('has an Encrypted ClientHello of random bytes; one that is taken is told by keys under another random', async () => {
    const conversation = await loadConversation('chromium');
    const { handshake } = read(conversation).connection;
    expect(handshake.encryptedClientHelloState).toBe('grease');
    expect(read(conversation, { keys: false }).connection.handshake.encryptedClientHelloState).toBe(
      'offered',
    );
    const innerRandom = 'ab'.repeat(32);
    const keyLog = conversation.keyLog.replaceAll(handshake.clientRandom ?? '', innerRandom);
    const taken = read({ ...conversation, keyLog });
    expect(taken.connection.handshake).toMatchObject({ innerRandom, encryptedClientHelloState: 'accepted' });
    expect(taken.sink.whole('down', 0)).toHaveLength(130);
  });

  it('tells the name from a ClientHello in shuffled pieces over two Initials, without keys', async () => {
    const { datagrams } = await loadConversation('chromium');
    const connection = new QuicConnection(null, new RecordingQuicSink());
    const ups = datagrams.filter(({ direction }) => direction === 'up');
    for (const { bytes, atMs } of ups.slice(0, 1)) connection.onDatagram('up', bytes, atMs);
    expect(connection.handshake.sni).toBeNull();
    for (const { bytes, atMs } of ups.slice(1, 2)) connection.onDatagram('up', bytes, atMs);
    expect(connection.handshake).toMatchObject({ sni: 'site.test', clientHelloAtMs: 0.027 });
  });
});

describe('datagrams in another order, doubled and lost', () => {
  it('holds back what came early, and tells arrival from delivery', () => {
    const answers = retry.datagrams.filter(
      ({ direction, atMs, bytes }) => direction === 'down' && bytes.length > 1000 && atMs > 150,
    );
    const [late, ...others] = answers;
    if (late === undefined || others.length < 3) throw new Error('The conversation has too few answers.');
    const lateAtMs = 100_000;
    const datagrams = [
      ...retry.datagrams.filter((datagram) => datagram !== late),
      { ...late, atMs: lateAtMs },
      // A datagram captured twice.
      { ...late, atMs: lateAtMs + 1 },
    ];
    const { sink } = read({ ...retry, datagrams });
    expectWholeStreams(sink);
    const held = sink.pieces.filter(({ span }) => span.deliveredAtMs > span.lastAtMs);
    expect(held.length).toBeGreaterThanOrEqual(2);
    expect(held.every(({ span }) => span.deliveredAtMs === lateAtMs)).toBe(true);
    expect(sink.pieces.filter(({ span }) => span.firstAtMs === lateAtMs)).toHaveLength(1);
  });

  it('parts datagrams that the sender handed over at once and the capture saw as one', () => {
    const joined: { atMs: number; direction: 'up' | 'down'; path: number; bytes: Buffer }[] = [];
    for (const datagram of retry.datagrams) {
      const last = joined.at(-1);
      const joins = last?.direction === datagram.direction && last.bytes.length % 1200 === 0;
      if (joins) joined.splice(-1, 1, { ...last, bytes: Buffer.concat([last.bytes, datagram.bytes]) });
      else joined.push(datagram);
    }
    expect(joined.length).toBeLessThan(retry.datagrams.length - 5);
    const late = new KeyLog();
    const sink = new RecordingQuicSink();
    const connection = new QuicConnection(late, sink);
    for (const { direction, bytes, atMs } of joined) connection.onDatagram(direction, bytes, atMs);
    late.add(retry.keyLog);
    connection.flush();
    expectWholeStreams(sink);
    expectWholeStreams(read({ ...retry, datagrams: joined }).sink);
  });

  it('reads on behind the zeros that Firefox fills datagrams up with, where two were seen as one', async () => {
    const joined = await readFile('tests/fixtures/wire/quic-firefox-joined-initials.bin');
    expect(joined.length).toBe(2 * 1252);
    const connection = new QuicConnection(null, new RecordingQuicSink());
    connection.onDatagram('up', joined, 0);
    expect(connection.traffic.up).toEqual({ datagrams: 1, bytes: 2504, packets: 2 });
    expect(connection.handshake).toMatchObject({ sni: 'localhost', alpnOffered: ['h3'] });
  });

  it('gives what lies behind a hole at the end, by its offset', () => {
    const lost = retry.datagrams.find(
      ({ direction, atMs, bytes }) => direction === 'down' && bytes.length > 1000 && atMs > 150,
    );
    const log = new KeyLog();
    log.add(retry.keyLog);
    const offsets: number[] = [];
    let received = 0;
    const sink = new RecordingQuicSink();
    sink.onStreamData = (direction, streamId, offset, bytes) => {
      if (direction !== 'down' || streamId !== 0) return;
      offsets.push(offset);
      received += bytes.length;
    };
    const connection = new QuicConnection(log, sink);
    for (const datagram of retry.datagrams) {
      if (datagram !== lost) connection.onDatagram(datagram.direction, datagram.bytes, datagram.atMs);
    }
    const before = received;
    connection.finish(1000);
    expect(received).toBeGreaterThan(before);
    expect(received).toBeLessThan(15_000);
    expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
    expect(connection.notes).toEqual(['Some bytes of its streams are not in the capture.']);
  });
});

describe('looksLikeQuicInitial', () => {
  it('knows the Initials of RFC 9001 and RFC 9369', () => {
    expect(looksLikeQuicInitial(rfc.clientInitialV1)).toBe(true);
    expect(looksLikeQuicInitial(rfc.clientInitialV2)).toBe(true);
  });

  it('knows one cut by the snap length', () => {
    expect(looksLikeQuicInitial(rfc.clientInitialV1.subarray(0, 54), 1200)).toBe(true);
  });

  it('refuses server packets, short datagrams and other protocols', () => {
    expect(looksLikeQuicInitial(rfc.serverInitialV1)).toBe(false);
    expect(looksLikeQuicInitial(rfc.clientInitialV1.subarray(0, 1100))).toBe(false);
    expect(looksLikeQuicInitial(Buffer.alloc(1200, 0x16))).toBe(false);
    expect(looksLikeQuicInitial(new Uint8Array(0), 1500)).toBe(false);
  });
});
