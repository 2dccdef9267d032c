import { createCipheriv, type Cipher } from 'node:crypto';
import { AeadOpener, nonceBytes } from '../keys/aead-opener.ts';
import { cipherSuites, type CipherSuite } from '../keys/cipher-suite.ts';
import { hkdfExpandLabel, hkdfExtract } from '../keys/hkdf.ts';
import { maxConnectionIdBytes } from './long-header.ts';
import { decodePacketNumber } from './packet-number.ts';
import type { QuicVersion } from './quic-version.ts';

/** Bytes of ciphertext that header protection is made from, RFC 9001 section 5.4.2. */
const sampleBytes = 16;

/** Longest header that needs no memory of its own: a short one, or an Initial's without a token. */
const usualHeaderBytes = 64 + 2 * maxConnectionIdBytes;

/** A packet as its receiver reads it. */
export interface OpenedPacket {
  readonly number: number;
  /** Its length. */
  readonly bytes: number;
  /** Of a short header. */
  readonly keyPhase: 0 | 1;
  /** The frames, in memory of their own. */
  readonly frames: Uint8Array;
}

/** Initial packets are sealed with this suite, RFC 9001 section 5.2. */
const initialSuite = cipherSuites.get(0x1301)!;

/** The keys of one direction at one encryption level, RFC 9001 section 5. */
export class PacketKeys {
  readonly #version: QuicVersion;
  readonly #suite: CipherSuite;
  readonly #secret: Uint8Array;
  readonly #aead: AeadOpener;
  readonly #mask: (sample: Uint8Array) => Uint8Array;
  readonly #header = new Uint8Array(usualHeaderBytes);

  /** @param mask of the header protection, which outlives key updates; made from the secret when not given */
  constructor(
    version: QuicVersion,
    suite: CipherSuite,
    secret: Uint8Array,
    mask?: (sample: Uint8Array) => Uint8Array,
  ) {
    const derive = (label: string, length: number): Uint8Array =>
      hkdfExpandLabel(suite.hash, secret, version.labelPrefix + label, length);
    this.#version = version;
    this.#suite = suite;
    this.#secret = secret;
    this.#aead = new AeadOpener(suite, derive('key', suite.keyBytes), derive('iv', nonceBytes));
    this.#mask = mask ?? headerMask(suite, derive('hp', suite.keyBytes));
  }

  /**
   * The keys of Initial packets, which everybody can compute.
   *
   * @param destination the connection ID that the client sent its first Initial to, or that a Retry gave it
   */
  static initial(version: QuicVersion, destination: Uint8Array): { up: PacketKeys; down: PacketKeys } {
    const secret = hkdfExtract('sha256', version.initialSalt, destination);
    const side = (label: string): PacketKeys =>
      new PacketKeys(version, initialSuite, hkdfExpandLabel('sha256', secret, label, 32));
    return { up: side('client in'), down: side('server in') };
  }

  /** The keys after a key update, RFC 9001 section 6.1. */
  next(): PacketKeys {
    const label = `${this.#version.labelPrefix}ku`;
    const secret = hkdfExpandLabel(this.#suite.hash, this.#secret, label, this.#secret.length);
    return new PacketKeys(this.#version, this.#suite, secret, this.#mask);
  }

  /**
   * Takes the header protection off a copy of the header, then opens the payload.
   *
   * @param start where the packet begins in `datagram`
   * @param numberAt where its packet number begins
   * @param end where it ends
   * @param largest packet number so far, -1 before the first
   * @returns null when it is no packet of these keys
   */
  open(
    datagram: Uint8Array,
    start: number,
    numberAt: number,
    end: number,
    largest: number,
  ): OpenedPacket | null {
    const sampleAt = numberAt + 4;
    if (sampleAt + sampleBytes > end) return null;
    const mask = this.#mask(datagram.subarray(sampleAt, sampleAt + sampleBytes));
    const first = datagram[start]! ^ (mask[0]! & ((datagram[start]! & 0x80) !== 0 ? 0x0f : 0x1f));
    const numberBytes = (first & 3) + 1;
    const headerBytes = numberAt + numberBytes - start;
    const scratch = headerBytes <= this.#header.length ? this.#header : new Uint8Array(headerBytes);
    const header = scratch.subarray(0, headerBytes);
    header.set(datagram.subarray(start, numberAt + numberBytes));
    header[0] = first;
    let truncated = 0;
    for (let i = 0; i < numberBytes; i += 1) {
      const byte = datagram[numberAt + i]! ^ mask[1 + i]!;
      header[numberAt - start + i] = byte;
      truncated = truncated * 0x100 + byte;
    }
    const number = decodePacketNumber(largest, truncated, numberBytes);
    const frames = this.#aead.open(number, header, datagram.subarray(numberAt + numberBytes, end));
    return frames === null
      ? null
      : { number, bytes: end - start, keyPhase: (first & 0x04) === 0 ? 0 : 1, frames };
  }
}

/** The first five bytes it gives hide packet number and flags, RFC 9001 sections 5.4.3 and 5.4.4. */
function headerMask(suite: CipherSuite, key: Uint8Array): (sample: Uint8Array) => Uint8Array {
  if (suite.aead === 'chacha20-poly1305') {
    const zeros = new Uint8Array(5);
    return (sample) => createCipheriv('chacha20', key, sample).update(zeros);
  }
  // ECB has no state between blocks: one cipher serves every packet.
  const cipher: Cipher = createCipheriv(suite.keyBytes === 16 ? 'aes-128-ecb' : 'aes-256-ecb', key, null);
  cipher.setAutoPadding(false);
  return (sample) => cipher.update(sample);
}
