import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { KeyLog } from '../../../../../native-host/wire/keys/key-log.ts';
import type { Direction } from '../../../../../native-host/wire/stream-sink.ts';
import { TlsConnection } from '../../../../../native-host/wire/tls/tls-connection.ts';
import { RecordingSink } from './recording-sink.ts';
import { converse, makeIdentity, type Identity, type TlsConversation } from './tls-conversation.ts';

/** Bytes that look like nothing, the same in every run. */
function noise(length: number, seed: string): Buffer {
  const blocks: Buffer[] = [];
  for (let made = 0; made < length; made += 64) {
    blocks.push(createHash('sha512').update(`${seed} ${made}`).digest());
  }
  return Buffer.concat(blocks).subarray(0, length);
}

const up = noise(40_000, 'up');
const down = noise(300_000, 'down');

function read(
  { chunks, keyLog }: Pick<TlsConversation, 'chunks' | 'keyLog'>,
  { chunkBytes = Infinity, lostDown = [] }: { chunkBytes?: number; lostDown?: readonly number[] } = {},
): { sink: RecordingSink; connection: TlsConnection } {
  const log = new KeyLog();
  log.add(keyLog);
  log.end();
  const sink = new RecordingSink();
  const connection = new TlsConnection(log, sink);
  const packets = { up: 0, down: 0 };
  let pieces = 0;
  for (const { direction, bytes, atMs = pieces } of chunks) {
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      const piece = bytes.subarray(at, at + chunkBytes);
      const lost = direction === 'down' && lostDown.includes(packets.down);
      if (lost) connection.onGap(direction, piece.length, atMs);
      else connection.onBytes(direction, piece, atMs, atMs);
      packets[direction] += 1;
      pieces += 1;
    }
  }
  connection.finish();
  return { sink, connection };
}

let identity: Identity;
beforeAll(async () => {
  identity = await makeIdentity();
});

interface Suite {
  readonly version: 'TLSv1.2' | 'TLSv1.3';
  /** As OpenSSL calls it. */
  readonly suite: string;
  readonly name: string;
  /** SSL_OP_* of OpenSSL. */
  readonly secureOptions?: number;
}

const suites: Suite[] = [
  { version: 'TLSv1.3', suite: 'TLS_AES_128_GCM_SHA256', name: 'TLS_AES_128_GCM_SHA256' },
  { version: 'TLSv1.3', suite: 'TLS_AES_256_GCM_SHA384', name: 'TLS_AES_256_GCM_SHA384' },
  { version: 'TLSv1.3', suite: 'TLS_CHACHA20_POLY1305_SHA256', name: 'TLS_CHACHA20_POLY1305_SHA256' },
  {
    version: 'TLSv1.2',
    suite: 'ECDHE-ECDSA-AES128-GCM-SHA256',
    name: 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
  },
  {
    version: 'TLSv1.2',
    suite: 'ECDHE-ECDSA-AES256-GCM-SHA384',
    name: 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  },
  {
    version: 'TLSv1.2',
    suite: 'ECDHE-ECDSA-CHACHA20-POLY1305',
    name: 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
  },
  // OpenSSL lets the short tag pass at its lowest security level only.
  { version: 'TLSv1.3', suite: 'TLS_AES_128_CCM_SHA256', name: 'TLS_AES_128_CCM_SHA256' },
  { version: 'TLSv1.3', suite: 'TLS_AES_128_CCM_8_SHA256:ALL:@SECLEVEL=0', name: 'TLS_AES_128_CCM_8_SHA256' },
  { version: 'TLSv1.2', suite: 'ECDHE-ECDSA-AES128-CCM', name: 'TLS_ECDHE_ECDSA_WITH_AES_128_CCM' },
  {
    version: 'TLSv1.2',
    suite: 'ECDHE-ECDSA-AES256-CCM8:@SECLEVEL=0',
    name: 'TLS_ECDHE_ECDSA_WITH_AES_256_CCM_8',
  },
  {
    version: 'TLSv1.2',
    suite: 'ECDHE-ECDSA-AES128-SHA',
    name: 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA',
  },
  {
    version: 'TLSv1.2',
    suite: 'ECDHE-ECDSA-AES128-SHA256',
    name: 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256',
  },
  {
    version: 'TLSv1.2',
    suite: 'ECDHE-ECDSA-AES256-SHA384',
    name: 'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384',
  },
  {
    version: 'TLSv1.2',
    suite: 'ECDHE-ECDSA-AES256-SHA384',
    name: 'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384',
    // SSL_OP_NO_ENCRYPT_THEN_MAC
    secureOptions: 0x0008_0000,
  },
];

describe.each(suites)(
  'a conversation of OpenSSL over $version with $name',
  ({ version, suite, name, ...more }) => {
    let conversation: TlsConversation;
    beforeAll(async () => {
      conversation = await converse({ version, suite, up, down, identity, ...more });
    });

    it('is read whole', () => {
      const { sink, connection } = read(conversation, { chunkBytes: 1460 });
      expect(sink.data('up').equals(up)).toBe(true);
      expect(sink.data('down').equals(down)).toBe(true);
      expect(sink.gaps).toEqual([]);
      expect(connection.notes).toEqual([]);
      expect(connection.closeNotifyAtMs.down).not.toBeNull();
      const macOutside = name.includes('CBC') && more.secureOptions === undefined;
      expect(connection.handshake.serverHello?.encryptThenMac).toBe(macOutside);
      expect(connection.handshake).toMatchObject({
        sni: 'site.test',
        alpnOffered: ['h2', 'http/1.1'],
        alpn: 'h2',
        tlsVersion: version.slice(-3),
        cipherSuite: name,
        resumed: false,
        earlyData: false,
      });
    });

    it('is read as resumed when it is', async () => {
      expect(conversation.session).not.toBeNull();
      const session = conversation.session ?? Buffer.alloc(0);
      const again = await converse({ version, suite, up, down, identity, session, ...more });
      const { sink, connection } = read(again);
      expect(connection.handshake.resumed).toBe(true);
      expect(sink.data('down').equals(down)).toBe(true);
    });

    it('goes on after bytes that the capture lost, and says where', () => {
      const { sink } = read(conversation, { chunkBytes: 1460, lostDown: [50, 51, 120] });
      expect(sink.gaps.length).toBeGreaterThan(0);
      expect(sink.data('up').equals(up)).toBe(true);
      // Whole records are missing, nothing else: what is left lies in the original in order.
      let from = 0;
      for (const { bytes } of sink.pieces.filter(({ direction }) => direction === 'down')) {
        const found = down.indexOf(bytes, from);
        expect(found).toBeGreaterThanOrEqual(from);
        from = found + bytes.length;
      }
      expect(from).toBe(down.length);
    });
  },
);

/** Connections recorded from outside: see tests/fixtures/wire. */
async function loadRecorded(name: string): Promise<Pick<TlsConversation, 'chunks' | 'keyLog'>> {
  const file = new URL(`../../../../fixtures/wire/tls-${name}.json`, import.meta.url);
  const { keyLog, chunks } = JSON.parse(await readFile(file, 'utf8')) as {
    keyLog: string;
    chunks: { atMs: number; direction: Direction; base64: string }[];
  };
  return {
    keyLog,
    chunks: chunks.map(({ base64, ...rest }) => ({ ...rest, bytes: Buffer.from(base64, 'base64') })),
  };
}

describe('connections of openssl s_client', () => {
  it.each([
    {
      name: 'key-update',
      up: 'question\nquestion\nquestion\n',
      down: 'answer\nanswer\nanswer\n',
      keyUpdates: 3,
      facts: { helloRetryRequest: false, resumed: false, earlyDataOffered: false, earlyData: false },
    },
    {
      name: 'hello-retry',
      up: 'question\n',
      down: 'answer\n',
      keyUpdates: 0,
      facts: { helloRetryRequest: true, resumed: false, earlyDataOffered: false, earlyData: false },
    },
    {
      name: '0-rtt',
      up: 'early question\nquestion\n',
      down: 'answer\n',
      keyUpdates: 0,
      facts: { helloRetryRequest: false, resumed: true, earlyDataOffered: true, earlyData: true },
    },
    {
      name: '0-rtt-refused',
      up: 'question\n',
      down: 'answer\n',
      keyUpdates: 0,
      facts: { helloRetryRequest: true, resumed: false, earlyDataOffered: true, earlyData: false },
    },
  ])('$name: what was typed on both sides, and the facts', async ({ name, up, down, keyUpdates, facts }) => {
    const { sink, connection } = read(await loadRecorded(`openssl-${name}`));
    expect(sink.data('up').toString()).toBe(up);
    expect(sink.data('down').toString()).toBe(down);
    expect(connection.keyUpdates).toBe(keyUpdates);
    expect(connection.handshake).toMatchObject({ sni: 'site.test', tlsVersion: '1.3', ...facts });
    expect(connection.notes).toEqual([]);
  });
});

describe('Chromium 156 with Caddy 2.6.2', () => {
  // The figures are those of tshark 4.0.17 with the same key log.
  it('is read as tshark reads it', async () => {
    const { sink, connection } = read(await loadRecorded('chromium'));
    expect(sink.data('up')).toHaveLength(529);
    expect(sink.data('down')).toHaveLength(271);
    expect(connection.handshake).toMatchObject({
      sni: 'site.test',
      alpnOffered: ['h2', 'http/1.1'],
      alpn: 'h2',
      encryptedClientHello: true,
      clientHelloAtMs: 0,
      serverHelloAtMs: 1.418,
      clientFinishedAtMs: 3.081,
    });
    expect(connection.closeNotifyAtMs).toEqual({ up: null, down: 388.731 });
    expect(connection.notes).toEqual([]);
  });
});

describe('an Encrypted ClientHello', () => {
  it('that Chromium fills with random bytes is named so, with keys', async () => {
    const recorded = await loadRecorded('chromium');
    expect(read(recorded).connection.handshake.encryptedClientHelloState).toBe('grease');
    const keyless = read({ ...recorded, keyLog: '' }).connection;
    expect(keyless.handshake.encryptedClientHelloState).toBe('offered');
  });

  it('that the server took is told by keys that are logged under another random', async () => {
    const recorded = await loadRecorded('chromium');
    const { clientRandom } = read(recorded).connection.handshake;
    const innerRandom = 'ab'.repeat(32);
    const others = (await loadRecorded('openssl-hello-retry')).keyLog;
    const keyLog = recorded.keyLog.replaceAll(clientRandom ?? '', innerRandom) + others;
    const { sink, connection } = read({ ...recorded, keyLog });
    expect(connection.handshake).toMatchObject({
      clientRandom,
      innerRandom,
      encryptedClientHelloState: 'accepted',
    });
    expect(sink.data('up')).toHaveLength(529);
    expect(sink.data('down')).toHaveLength(271);
    expect(connection.notes).toEqual([]);
  });

  it('is not looked for where there was none', async () => {
    const recorded = await loadRecorded('openssl-hello-retry');
    const { clientRandom } = read(recorded).connection.handshake;
    const keyLog = recorded.keyLog.replaceAll(clientRandom ?? '', 'ab'.repeat(32));
    const { connection } = read({ ...recorded, keyLog });
    expect(connection.keyed).toBe(false);
    expect(connection.handshake.encryptedClientHelloState).toBeNull();
    expect(connection.notes).toEqual(['The key log has no keys for this connection.']);
  });
});

describe('TLS 1.2 suites that cannot be opened', () => {
  it('are named, and the records still told', async () => {
    const conversation = await converse({
      version: 'TLSv1.2',
      suite: 'ECDHE-ECDSA-CAMELLIA128-SHA256',
      up,
      down,
      identity,
    });
    const { sink, connection } = read(conversation);
    expect(connection.notes).toEqual(['TLS 1.2 with 0xc072 cannot be decrypted here.']);
    expect(connection.keyed).toBe(false);
    expect(sink.records.length).toBeGreaterThan(10);
    expect(connection.handshake.clientFinishedAtMs).not.toBeNull();
  });
});

describe('a stream that is no TLS', () => {
  it('is given up at its first bytes', () => {
    const sink = new RecordingSink();
    const connection = new TlsConnection(null, sink);
    connection.onBytes('up', Buffer.from('GET / HTTP/1.1\r\n'), 0, 0);
    expect(connection.isTls).toBe(false);
    expect(sink.records).toEqual([]);
  });
});
