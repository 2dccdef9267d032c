import { cbcSuites } from './cbc-suite.ts';
import type { HashName } from './hkdf.ts';

/** Authenticated ciphers this reader can open, as node:crypto names them. */
export type AeadName = 'aes-128-gcm' | 'aes-256-gcm' | 'aes-128-ccm' | 'aes-256-ccm' | 'chacha20-poly1305';

/** What a negotiated cipher suite with an authenticated cipher means for a reader. */
export interface CipherSuite {
  /** As IANA registers it. */
  readonly name: string;
  readonly aead: AeadName;
  readonly keyBytes: 16 | 32;
  /** Of the authentication tag at the end of what was sealed. */
  readonly tagBytes: 16 | 8;
  /** Of the key schedule (TLS 1.3, QUIC) or the pseudorandom function (TLS 1.2). */
  readonly hash: HashName;
}

function aes128(name: string): CipherSuite {
  return { name, aead: 'aes-128-gcm', keyBytes: 16, tagBytes: 16, hash: 'sha256' };
}

function aes256(name: string): CipherSuite {
  return { name, aead: 'aes-256-gcm', keyBytes: 32, tagBytes: 16, hash: 'sha384' };
}

function chacha20(name: string): CipherSuite {
  return { name, aead: 'chacha20-poly1305', keyBytes: 32, tagBytes: 16, hash: 'sha256' };
}

function ccm128(name: string, tagBytes: 16 | 8 = 16): CipherSuite {
  return { name, aead: 'aes-128-ccm', keyBytes: 16, tagBytes, hash: 'sha256' };
}

function ccm256(name: string, tagBytes: 16 | 8 = 16): CipherSuite {
  return { name, aead: 'aes-256-ccm', keyBytes: 32, tagBytes, hash: 'sha256' };
}

/**
 * The suites with authenticated ciphers, by their code: those of TLS 1.3 and QUIC, and of TLS 1.2. Source: IANA TLS
 * Cipher Suites; RFC 8446 appendix B.4, RFC 5288, RFC 5289, RFC 6655, RFC 7251, RFC 7905.
 */
export const cipherSuites: ReadonlyMap<number, CipherSuite> = new Map([
  [0x1301, aes128('TLS_AES_128_GCM_SHA256')],
  [0x1302, aes256('TLS_AES_256_GCM_SHA384')],
  [0x1303, chacha20('TLS_CHACHA20_POLY1305_SHA256')],
  [0x1304, ccm128('TLS_AES_128_CCM_SHA256')],
  [0x1305, ccm128('TLS_AES_128_CCM_8_SHA256', 8)],
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
  [0xc09c, ccm128('TLS_RSA_WITH_AES_128_CCM')],
  [0xc09d, ccm256('TLS_RSA_WITH_AES_256_CCM')],
  [0xc09e, ccm128('TLS_DHE_RSA_WITH_AES_128_CCM')],
  [0xc09f, ccm256('TLS_DHE_RSA_WITH_AES_256_CCM')],
  [0xc0a0, ccm128('TLS_RSA_WITH_AES_128_CCM_8', 8)],
  [0xc0a1, ccm256('TLS_RSA_WITH_AES_256_CCM_8', 8)],
  [0xc0a2, ccm128('TLS_DHE_RSA_WITH_AES_128_CCM_8', 8)],
  [0xc0a3, ccm256('TLS_DHE_RSA_WITH_AES_256_CCM_8', 8)],
  [0xc0ac, ccm128('TLS_ECDHE_ECDSA_WITH_AES_128_CCM')],
  [0xc0ad, ccm256('TLS_ECDHE_ECDSA_WITH_AES_256_CCM')],
  [0xc0ae, ccm128('TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8', 8)],
  [0xc0af, ccm256('TLS_ECDHE_ECDSA_WITH_AES_256_CCM_8', 8)],
]);

/** The suite's registered name, or its code for one that cannot be opened. */
export function cipherSuiteName(code: number): string {
  const name = cipherSuites.get(code)?.name ?? cbcSuites.get(code)?.name;
  return name ?? `0x${code.toString(16).padStart(4, '0')}`;
}
