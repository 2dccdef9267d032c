import { describe, expect, it } from 'vitest';
import { cipherSuites } from '../../../../../native-host/wire/keys/cipher-suite.ts';
import {
  parseInvariantHeader,
  parseLongHeader,
  type LongHeader,
} from '../../../../../native-host/wire/quic/long-header.ts';
import { PacketKeys } from '../../../../../native-host/wire/quic/packet-keys.ts';
import { quicV1, quicV2, type QuicVersion } from '../../../../../native-host/wire/quic/quic-version.ts';
import { isRetryGenuine } from '../../../../../native-host/wire/quic/retry-integrity.ts';
import * as rfc from './rfc-packets.ts';

function headerOf(packet: Uint8Array): LongHeader {
  const invariant = parseInvariantHeader(packet, 0);
  const header = invariant && parseLongHeader(packet, 0, invariant);
  if (!header) throw new Error('The RFC packet has no header.');
  return header;
}

function openInitial(version: QuicVersion, direction: 'up' | 'down', packet: Uint8Array) {
  const header = headerOf(packet);
  expect(header.version).toBe(version);
  expect(header.type).toBe('initial');
  const keys = PacketKeys.initial(version, rfc.clientDestination)[direction];
  return keys.open(packet, 0, header.numberAt, header.end, -1);
}

describe.each([
  { version: quicV1, source: 'RFC 9001', client: rfc.clientInitialV1, server: rfc.serverInitialV1 },
  { version: quicV2, source: 'RFC 9369', client: rfc.clientInitialV2, server: rfc.serverInitialV2 },
])('Initial packets of $source appendix A', ({ version, client, server }) => {
  it('opens the client Initial: packet number 2, the CRYPTO frame, then padding up to 1,162 bytes', () => {
    const opened = openInitial(version, 'up', client);
    expect(opened?.number).toBe(2);
    expect(opened?.frames.length).toBe(1162);
    expect(opened?.frames.subarray(0, rfc.clientCryptoFrame.length)).toEqual(
      Buffer.from(rfc.clientCryptoFrame),
    );
    expect(opened?.frames.subarray(rfc.clientCryptoFrame.length).every((byte) => byte === 0)).toBe(true);
  });

  it('opens the server Initial: packet number 1 and its ACK and CRYPTO frames', () => {
    const opened = openInitial(version, 'down', server);
    expect(opened?.number).toBe(1);
    expect(opened?.frames).toEqual(Buffer.from(rfc.serverFrames));
  });

  it('opens nothing when one bit of it is changed', () => {
    const changed = Uint8Array.from(server);
    changed.set([(changed.at(-20) ?? 0) ^ 0x10], changed.length - 20);
    expect(openInitial(version, 'down', changed)).toBeNull();
  });
});

describe('short headers under ChaCha20-Poly1305', () => {
  const suite = cipherSuites.get(0x1303);
  if (suite === undefined) throw new Error('ChaCha20-Poly1305 is missing.');
  it.each([
    { version: quicV1, packet: rfc.chachaPacket, source: 'RFC 9001 A.5' },
    { version: quicV2, packet: rfc.chachaPacketV2, source: 'RFC 9369 A.5' },
  ])('opens the PING of $source', ({ version, packet }) => {
    const keys = new PacketKeys(version, suite, rfc.chachaSecret);
    const opened = keys.open(packet, 0, 1, packet.length, rfc.chachaNumber - 1);
    expect(opened).toMatchObject({ number: rfc.chachaNumber, keyPhase: 0 });
    expect([...(opened?.frames ?? [])]).toEqual([0x01]);
  });
});

describe('Retry', () => {
  it.each([
    { packet: rfc.retryV1, source: 'RFC 9001 A.4' },
    { packet: rfc.retryV2, source: 'RFC 9369 A.4' },
  ])('reads the token and trusts the tag of $source', ({ packet }) => {
    const header = headerOf(packet);
    expect(header.type).toBe('retry');
    expect(Buffer.from(header.token).toString()).toBe('token');
    expect(Buffer.from(header.source).toString('hex')).toBe('f067a5502a4262b5');
    expect(isRetryGenuine(packet, 0, header, rfc.clientDestination)).toBe(true);
    expect(isRetryGenuine(packet, 0, header, rfc.hex('8394c8f03e515709'))).toBe(false);
  });
});
