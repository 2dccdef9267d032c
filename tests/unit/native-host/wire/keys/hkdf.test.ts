import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hkdfExpandLabel, hkdfExtract } from '../../../../../native-host/wire/keys/hkdf.ts';
import { tls12Prf } from '../../../../../native-host/wire/keys/tls12-prf.ts';
import { hex } from '../quic/rfc-packets.ts';

function digits(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

describe('HKDF', () => {
  // RFC 9001 appendix A.1.
  const initial = hkdfExtract(
    'sha256',
    hex('38762cf7f55934b34d179ae6a4c80cadccbb7f0a'),
    hex('8394c8f03e515708'),
  );
  const client = hkdfExpandLabel('sha256', initial, 'client in', 32);
  const server = hkdfExpandLabel('sha256', initial, 'server in', 32);

  it('extracts and expands the secrets of RFC 9001 A.1', () => {
    expect(digits(client)).toBe('c00cf151ca5be075ed0ebfb5c80323c42d6b7db67881289af4008f1f6c357aea');
    expect(digits(server)).toBe('3c199828fd139efd216c155ad844cc81fb82fa8d7446fa7d78be803acdda951b');
  });

  it.each([
    { secret: client, label: 'quic key', bytes: 16, made: '1f369613dd76d5467730efcbe3b1a22d' },
    { secret: client, label: 'quic iv', bytes: 12, made: 'fa044b2f42a3fd3b46fb255c' },
    { secret: client, label: 'quic hp', bytes: 16, made: '9f50449e04a0e810283a1e9933adedd2' },
    { secret: server, label: 'quic key', bytes: 16, made: 'cf3a5331653c364c88f0f379b6067e37' },
    { secret: server, label: 'quic iv', bytes: 12, made: '0ac1493ca1905853b0bba03e' },
  ])('expands "$label" to $made', ({ secret, label, bytes, made }) => {
    expect(digits(hkdfExpandLabel('sha256', secret, label, bytes))).toBe(made);
  });

  it('expands the key update of RFC 9001 A.5', () => {
    const secret = hex('9ac312a7f877468ebe69422748ad00a15443f18203a07d6060f688f30f21632b');
    expect(digits(hkdfExpandLabel('sha256', secret, 'quic ku', 32))).toBe(
      '1223504755036d556342ee9361d253421a826c9ecdf3c7148684b36b714881f9',
    );
  });

  it('expands the keys of RFC 8448 section 3', () => {
    const secret = hex('b67b7d690cc16c4e75e54213cb2d37b4e9c912bcded9105d42befd59d391ad38');
    expect(digits(hkdfExpandLabel('sha256', secret, 'key', 16))).toBe('3fce516009c21727d0f2e4e86ee403bc');
    expect(digits(hkdfExpandLabel('sha256', secret, 'iv', 12))).toBe('5d313eb2671276ee13000b30');
  });
});

describe('the pseudorandom function of TLS 1.2', () => {
  it('is P_hash as RFC 5246 section 5 spells it out, over several blocks', () => {
    const secret = Buffer.from('secret');
    const seed = Buffer.concat([Buffer.from('key expansion'), Buffer.from('seed')]);
    const hmac = (data: Buffer): Buffer => createHmac('sha384', secret).update(data).digest();
    const a1 = hmac(seed);
    const a2 = hmac(a1);
    const expected = Buffer.concat([hmac(Buffer.concat([a1, seed])), hmac(Buffer.concat([a2, seed]))]);
    const made = tls12Prf('sha384', secret, 'key expansion', Buffer.from('seed'), 72);
    expect(digits(made)).toBe(digits(expected.subarray(0, 72)));
  });
});
