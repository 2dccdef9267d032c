import { createDecipheriv, type CipherCCMTypes } from 'node:crypto';
import type { CipherSuite } from './cipher-suite.ts';

/** Bytes of a nonce; the same in every suite read here. */
export const nonceBytes = 12;

/** Opens what was sealed under one key. The tag decides, so a wrong guess of key or number is only `null`. */
export class AeadOpener {
  readonly #aead: CipherCCMTypes;
  readonly #tagBytes: number;
  readonly #key: Uint8Array;
  readonly #iv: Uint8Array;
  readonly #nonce = Buffer.alloc(nonceBytes);

  /** @param iv all 12 bytes of it for {@link open}; unused by {@link openWithNonce} */
  constructor({ aead, tagBytes }: Pick<CipherSuite, 'aead' | 'tagBytes'>, key: Uint8Array, iv: Uint8Array) {
    // @types/node has an overload for each kind; all decipher alike, and what CCM asks for besides harms none.
    this.#aead = aead as CipherCCMTypes;
    this.#tagBytes = tagBytes;
    this.#key = key;
    this.#iv = iv;
  }

  /**
   * Opens with the nonce made of the IV and a record sequence number or packet number
   * (RFC 8446 section 5.3, RFC 9001 section 5.3).
   *
   * @param number at most 2^53
   * @param sealed ciphertext and tag
   * @returns the plaintext in memory of its own, or null when the tag does not fit
   */
  open(number: number, additionalData: Uint8Array, sealed: Uint8Array): Uint8Array | null {
    const nonce = this.#nonce;
    nonce.set(this.#iv);
    const high = Math.floor(number / 2 ** 32);
    nonce.writeUInt32BE((nonce.readUInt32BE(4) ^ high) >>> 0, 4);
    nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ number) >>> 0, 8);
    return this.openWithNonce(nonce, additionalData, sealed);
  }

  /** Opens with a nonce told in full, as AES-GCM and AES-CCM in TLS 1.2 do. */
  openWithNonce(nonce: Uint8Array, additionalData: Uint8Array, sealed: Uint8Array): Uint8Array | null {
    const tagBytes = this.#tagBytes;
    const textBytes = sealed.length - tagBytes;
    if (textBytes < 0) return null;
    try {
      const decipher = createDecipheriv(this.#aead, this.#key, nonce, { authTagLength: tagBytes });
      decipher.setAuthTag(sealed.subarray(textBytes));
      decipher.setAAD(additionalData, { plaintextLength: textBytes });
      const text = decipher.update(sealed.subarray(0, textBytes));
      decipher.final();
      return text;
    } catch {
      // node:crypto has no other way to say that the tag does not fit.
      return null;
    }
  }
}
