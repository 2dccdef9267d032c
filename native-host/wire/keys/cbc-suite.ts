import type { HashName } from './hkdf.ts';

/** A TLS 1.2 suite that seals by AES-CBC and HMAC, RFC 5246 section 6.2.3.2. */
export interface CbcSuite {
  /** As IANA registers it. */
  readonly name: string;
  readonly keyBytes: 16 | 32;
  /** Of the HMAC of each record. */
  readonly mac: 'sha1' | HashName;
  readonly macBytes: 20 | 32 | 48;
  /** Of the pseudorandom function. */
  readonly hash: HashName;
}

function sha1(name: string, keyBytes: 16 | 32): CbcSuite {
  return { name, keyBytes, mac: 'sha1', macBytes: 20, hash: 'sha256' };
}

function sha256(name: string, keyBytes: 16 | 32): CbcSuite {
  return { name, keyBytes, mac: 'sha256', macBytes: 32, hash: 'sha256' };
}

function sha384(name: string): CbcSuite {
  return { name, keyBytes: 32, mac: 'sha384', macBytes: 48, hash: 'sha384' };
}

/**
 * The AES-CBC suites of TLS 1.2, by their code: old servers still choose them. Source: IANA TLS Cipher Suites;
 * RFC 5246 appendix A.5, RFC 8422, RFC 5289.
 */
export const cbcSuites: ReadonlyMap<number, CbcSuite> = new Map([
  [0x002f, sha1('TLS_RSA_WITH_AES_128_CBC_SHA', 16)],
  [0x0033, sha1('TLS_DHE_RSA_WITH_AES_128_CBC_SHA', 16)],
  [0x0035, sha1('TLS_RSA_WITH_AES_256_CBC_SHA', 32)],
  [0x0039, sha1('TLS_DHE_RSA_WITH_AES_256_CBC_SHA', 32)],
  [0x003c, sha256('TLS_RSA_WITH_AES_128_CBC_SHA256', 16)],
  [0x003d, sha256('TLS_RSA_WITH_AES_256_CBC_SHA256', 32)],
  [0x0067, sha256('TLS_DHE_RSA_WITH_AES_128_CBC_SHA256', 16)],
  [0x006b, sha256('TLS_DHE_RSA_WITH_AES_256_CBC_SHA256', 32)],
  [0xc009, sha1('TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA', 16)],
  [0xc00a, sha1('TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA', 32)],
  [0xc013, sha1('TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA', 16)],
  [0xc014, sha1('TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA', 32)],
  [0xc023, sha256('TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256', 16)],
  [0xc024, sha384('TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384')],
  [0xc027, sha256('TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256', 16)],
  [0xc028, sha384('TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384')],
]);
