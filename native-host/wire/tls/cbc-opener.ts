import { createDecipheriv, createHmac } from 'node:crypto';
import type { CbcSuite } from '../keys/cbc-suite.ts';
import { tls12Prf } from '../keys/tls12-prf.ts';
import type { OpenedRecord, RecordOpener } from './record-opener.ts';

/** Of AES, and so of the initialisation vector that each record brings along. */
const blockBytes = 16;

/**
 * TLS 1.2 with AES-CBC and HMAC, RFC 5246 section 6.2.3.2: the MAC sealed with the text, or, where both sides agreed
 * (RFC 7366), made of what is sealed. The MAC covers the record's number, so it tells whether key and number fit.
 */
export class CbcOpener implements RecordOpener {
  readonly #suite: CbcSuite;
  readonly #macKey: Uint8Array;
  readonly #key: Uint8Array;
  readonly #encryptThenMac: boolean;

  private constructor(suite: CbcSuite, macKey: Uint8Array, key: Uint8Array, encryptThenMac: boolean) {
    this.#suite = suite;
    this.#macKey = macKey;
    this.#key = key;
    this.#encryptThenMac = encryptThenMac;
  }

  /** Both directions' keys from the master secret, RFC 5246 section 6.3. */
  static pair(
    suite: CbcSuite,
    masterSecret: Uint8Array,
    clientRandom: Uint8Array,
    serverRandom: Uint8Array,
    encryptThenMac: boolean,
  ): { up: CbcOpener; down: CbcOpener } {
    const { hash, keyBytes, macBytes } = suite;
    const seed = Buffer.concat([serverRandom, clientRandom]);
    const block = tls12Prf(hash, masterSecret, 'key expansion', seed, 2 * (macBytes + keyBytes));
    const keys = block.subarray(2 * macBytes);
    const of = (side: 0 | 1): CbcOpener => {
      const macKey = block.subarray(side * macBytes, (side + 1) * macBytes);
      return new CbcOpener(
        suite,
        macKey,
        keys.subarray(side * keyBytes, (side + 1) * keyBytes),
        encryptThenMac,
      );
    };
    return { up: of(0), down: of(1) };
  }

  open(sequence: number, header: Uint8Array, body: Uint8Array): OpenedRecord | null {
    const text = this.#encryptThenMac
      ? this.#openMacOutside(sequence, header, body)
      : this.#openMacInside(sequence, header, body);
    return text === null ? null : { type: header[0]!, text };
  }

  next(): null {
    return null;
  }

  #openMacOutside(sequence: number, header: Uint8Array, body: Uint8Array): Uint8Array | null {
    const sealed = body.subarray(0, Math.max(0, body.length - this.#suite.macBytes));
    if (!this.#macFits(sequence, header, sealed, body.subarray(sealed.length))) return null;
    return this.#decrypt(sealed);
  }

  #openMacInside(sequence: number, header: Uint8Array, body: Uint8Array): Uint8Array | null {
    const textAndMac = this.#decrypt(body);
    if (textAndMac === null) return null;
    const textBytes = textAndMac.length - this.#suite.macBytes;
    if (textBytes < 0) return null;
    const text = textAndMac.subarray(0, textBytes);
    return this.#macFits(sequence, header, text, textAndMac.subarray(textBytes)) ? text : null;
  }

  /** Initialisation vector and ciphertext to plaintext without its padding; null when the padding is none. */
  #decrypt(sealed: Uint8Array): Uint8Array | null {
    if (sealed.length < 2 * blockBytes || sealed.length % blockBytes !== 0) return null;
    const cipher = this.#suite.keyBytes === 16 ? 'aes-128-cbc' : 'aes-256-cbc';
    const decipher = createDecipheriv(cipher, this.#key, sealed.subarray(0, blockBytes));
    decipher.setAutoPadding(false);
    const padded = decipher.update(sealed.subarray(blockBytes));
    // The last byte says how many more there are of it.
    const textBytes = padded.length - 1 - padded[padded.length - 1]!;
    return textBytes < 0 ? null : padded.subarray(0, textBytes);
  }

  #macFits(sequence: number, header: Uint8Array, bytes: Uint8Array, mac: Uint8Array): boolean {
    const head = Buffer.alloc(13);
    head.writeUInt32BE(Math.floor(sequence / 2 ** 32), 0);
    head.writeUInt32BE(sequence >>> 0, 4);
    head.set(header.subarray(0, 3), 8);
    head.writeUInt16BE(bytes.length, 11);
    const made = createHmac(this.#suite.mac, this.#macKey).update(head).update(bytes).digest();
    return made.equals(mac);
  }
}
