import { AeadOpener, nonceBytes } from '../keys/aead-opener.ts';
import type { CipherSuite } from '../keys/cipher-suite.ts';
import { hkdfExpandLabel } from '../keys/hkdf.ts';
import { tls12Prf } from '../keys/tls12-prf.ts';

/** TLS record content types, RFC 8446 section 5.1. */
export const contentType = {
  changeCipherSpec: 20,
  alert: 21,
  handshake: 22,
  applicationData: 23,
} as const;

/** A record's inside. `text` is memory of its own. */
export interface OpenedRecord {
  readonly type: number;
  readonly text: Uint8Array;
}

/** Opens the records of one direction under one key. */
export interface RecordOpener {
  /**
   * @param sequence the record's number under this key
   * @returns null when it is no record of this key and number
   */
  open(sequence: number, header: Uint8Array, body: Uint8Array): OpenedRecord | null;
  /** The key after a KeyUpdate; null where the protocol has none. */
  next(): RecordOpener | null;
}

/** TLS 1.3, RFC 8446 sections 5.2, 7.2 and 7.3. */
export class Tls13Opener implements RecordOpener {
  readonly #suite: CipherSuite;
  readonly #secret: Uint8Array;
  readonly #aead: AeadOpener;

  constructor(suite: CipherSuite, trafficSecret: Uint8Array) {
    this.#suite = suite;
    this.#secret = trafficSecret;
    this.#aead = new AeadOpener(
      suite,
      hkdfExpandLabel(suite.hash, trafficSecret, 'key', suite.keyBytes),
      hkdfExpandLabel(suite.hash, trafficSecret, 'iv', nonceBytes),
    );
  }

  open(sequence: number, header: Uint8Array, body: Uint8Array): OpenedRecord | null {
    const inner = this.#aead.open(sequence, header, body);
    if (inner === null) return null;
    // Padding is zeros after the content type.
    let end = inner.length;
    while (end > 0 && inner[end - 1] === 0) end -= 1;
    return end === 0
      ? { type: 0, text: inner.subarray(0, 0) }
      : { type: inner[end - 1]!, text: inner.subarray(0, end - 1) };
  }

  next(): Tls13Opener {
    const { hash } = this.#suite;
    return new Tls13Opener(
      this.#suite,
      hkdfExpandLabel(hash, this.#secret, 'traffic upd', this.#secret.length),
    );
  }
}

/** Bytes of the nonce that each AES-GCM or AES-CCM record of TLS 1.2 brings along, RFC 5288 section 3. */
const explicitNonceBytes = 8;

/** TLS 1.2 with AEAD suites, RFC 5246 section 6.2.3.3, RFC 5288, RFC 6655, RFC 7905. */
export class Tls12Opener implements RecordOpener {
  readonly #aead: AeadOpener;
  readonly #tagBytes: number;
  readonly #salt: Uint8Array | null;
  readonly #additionalData = Buffer.alloc(13);
  readonly #nonce = Buffer.alloc(nonceBytes);

  private constructor(suite: CipherSuite, key: Uint8Array, iv: Uint8Array) {
    this.#aead = new AeadOpener(suite, key, iv);
    this.#tagBytes = suite.tagBytes;
    this.#salt = suite.aead === 'chacha20-poly1305' ? null : iv;
  }

  /** Both directions' keys from the master secret, RFC 5246 section 6.3. */
  static pair(
    suite: CipherSuite,
    masterSecret: Uint8Array,
    clientRandom: Uint8Array,
    serverRandom: Uint8Array,
  ): { up: Tls12Opener; down: Tls12Opener } {
    const ivBytes = suite.aead === 'chacha20-poly1305' ? nonceBytes : nonceBytes - explicitNonceBytes;
    const seed = Buffer.concat([serverRandom, clientRandom]);
    const { hash, keyBytes } = suite;
    const block = tls12Prf(hash, masterSecret, 'key expansion', seed, 2 * (keyBytes + ivBytes));
    const ivs = block.subarray(2 * keyBytes);
    return {
      up: new Tls12Opener(suite, block.subarray(0, keyBytes), ivs.subarray(0, ivBytes)),
      down: new Tls12Opener(suite, block.subarray(keyBytes, 2 * keyBytes), ivs.subarray(ivBytes)),
    };
  }

  open(sequence: number, header: Uint8Array, body: Uint8Array): OpenedRecord | null {
    const prefixBytes = this.#salt === null ? 0 : explicitNonceBytes;
    const textBytes = body.length - prefixBytes - this.#tagBytes;
    if (textBytes < 0) return null;
    const data = this.#additionalData;
    data.writeUInt32BE(Math.floor(sequence / 2 ** 32), 0);
    data.writeUInt32BE(sequence >>> 0, 4);
    data.set(header.subarray(0, 3), 8);
    data.writeUInt16BE(textBytes, 11);
    const sealed = body.subarray(prefixBytes);
    let text: Uint8Array | null;
    if (this.#salt === null) {
      text = this.#aead.open(sequence, data, sealed);
    } else {
      this.#nonce.set(this.#salt);
      this.#nonce.set(body.subarray(0, prefixBytes), this.#salt.length);
      text = this.#aead.openWithNonce(this.#nonce, data, sealed);
    }
    return text === null ? null : { type: header[0]!, text };
  }

  next(): null {
    return null;
  }
}
