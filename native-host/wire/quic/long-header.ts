import { ByteCursor } from '../tls/byte-cursor.ts';
import { quicVersionOf, type LongType, type QuicVersion } from './quic-version.ts';

/** Longest connection ID, RFC 9000 section 17.2. */
export const maxConnectionIdBytes = 20;

/** The part of a long header that every version shares, RFC 8999 section 5.1. Views into the datagram. */
export interface InvariantHeader {
  readonly versionNumber: number;
  readonly destination: Uint8Array;
  readonly source: Uint8Array;
  /** Where the version's own part begins. */
  readonly restAt: number;
}

/** A long-header packet of a version that can be read. Offsets are from the start of the datagram. */
export interface LongHeader {
  readonly version: QuicVersion;
  readonly type: LongType;
  readonly destination: Uint8Array;
  readonly source: Uint8Array;
  /** Of an Initial or a Retry; empty otherwise. */
  readonly token: Uint8Array;
  /** Where the protected packet number begins; a Retry has none, and this is `end`. */
  readonly numberAt: number;
  /** Where the packet ends and the next of the datagram may begin; at most where the datagram ends. */
  readonly end: number;
  /** False when the packet goes on beyond the bytes at hand, as with a short snap length. */
  readonly whole: boolean;
}

/** Whether byte `at` begins a long header. */
export function isLongHeader(datagram: Uint8Array, at: number): boolean {
  return (datagram[at]! & 0x80) !== 0;
}

/** @returns null when there is no such header */
export function parseInvariantHeader(datagram: Uint8Array, at: number): InvariantHeader | null {
  const cursor = new ByteCursor(datagram, at);
  cursor.skip(1);
  const versionNumber = cursor.u32();
  const destination = cursor.take(cursor.u8());
  const source = cursor.take(cursor.u8());
  return cursor.failed ? null : { versionNumber, destination, source, restAt: cursor.at };
}

/** @returns null when it is no packet of a version that can be read */
export function parseLongHeader(
  datagram: Uint8Array,
  at: number,
  invariant: InvariantHeader,
): LongHeader | null {
  const version = quicVersionOf(invariant.versionNumber);
  const { destination, source } = invariant;
  if (version === undefined) return null;
  if (destination.length > maxConnectionIdBytes || source.length > maxConnectionIdBytes) return null;
  const type = version.longTypes[(datagram[at]! >> 4) & 3]!;
  const cursor = new ByteCursor(datagram, invariant.restAt);
  if (type === 'retry') {
    const token = cursor.take(cursor.left - retryTagBytes);
    const end = datagram.length;
    return cursor.failed
      ? null
      : { version, type, destination, source, token, numberAt: end, end, whole: true };
  }
  const token = type === 'initial' ? cursor.take(cursor.varint()) : cursor.take(0);
  const lengthBytes = cursor.varint();
  if (cursor.failed) return null;
  const numberAt = cursor.at;
  const whole = lengthBytes <= cursor.left;
  const end = whole ? numberAt + lengthBytes : datagram.length;
  return { version, type, destination, source, token, numberAt, end, whole };
}

/** Bytes of a Retry's integrity tag, RFC 9001 section 5.8. */
export const retryTagBytes = 16;
