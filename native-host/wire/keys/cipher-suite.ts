import type { HashName } from './hkdf.ts';

/** Authenticated ciphers this reader can open, as node:crypto names them. */
export type AeadName = 'aes-128-gcm' | 'aes-256-gcm' | 'chacha20-poly1305';

/** What a negotiated cipher suite means for a reader. */
export interface CipherSuite {
  /** As IANA registers it. */
  readonly name: string;
  readonly aead: AeadName;
  readonly keyBytes: 16 | 32;
  /** Of the key schedule (TLS 1.3, QUIC) or the pseudorandom function (TLS 1.2). */
  readonly hash: HashName;
}

function aes128(name: string): CipherSuite {
  return { name, aead: 'aes-128-gcm', keyBytes: 16, hash: 'sha256' };
}

function aes256(name: string): CipherSuite {
  return { name, aead: 'aes-256-gcm', keyBytes: 32, hash: 'sha384' };
}

function chacha20(name: string): CipherSuite {
  return { name, aead: 'chacha20-poly1305', keyBytes: 32, hash: 'sha256' };
}

/**
 * The suites that can be opened, by their code: all of TLS 1.3 that browsers offer, and the AEAD ones of
 * TLS 1.2. Source: IANA TLS Cipher Suites; RFC 8446 appendix B.4, RFC 5288, RFC 5289, RFC 7905.
 */
export const cipherSuites: ReadonlyMap<number, CipherSuite> = new Map([
  [0x1301, aes128('TLS_AES_128_GCM_SHA256')],
  [0x1302, aes256('TLS_AES_256_GCM_SHA384')],
  [0x1303, chacha20('TLS_CHACHA20_POLY1305_SHA256')],
  [0x009c, aes128('TLS_RSA_WITH_AES_128_GCM_SHA256')],
  [0x009d, aes256('TLS_RSA_WITH_AES_256_GCM_SHA384')],
  [0x009e, aes128('TLS_DHE_RSA_WITH_AES_128_GCM_SHA256')],
  [0x009f, aes256('TLS_DHE_RSA_WITH_AES_256_GCM_SHA384')],
  [0xc02b, aes128('TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256')],
  [0xc02c, aes256('TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384')],
  [0xc02f, aes128('TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256')],
  [0xc030, aes256('TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384')],
  [0xcca8, chacha20('TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256')],
  [0xcca9, chacha20('TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256')],
  [0xccaa, chacha20('TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256')],
]);

/** The suite's registered name, or its code for one that cannot be opened. */
export function cipherSuiteName(code: number): string {
  return cipherSuites.get(code)?.name ?? `0x${code.toString(16).padStart(4, '0')}`;
}
