import { AeadOpener } from '../keys/aead-opener.ts';
import { retryTagBytes, type LongHeader } from './long-header.ts';

/**
 * Whether a Retry answers the Initial that was sent to `originalDestination`, RFC 9001 section 5.8: its tag
 * is that of an empty text under a published key, the Initial's connection ID and the Retry before it.
 */
export function isRetryGenuine(
  datagram: Uint8Array,
  at: number,
  header: LongHeader,
  originalDestination: Uint8Array,
): boolean {
  const { retryKey, retryNonce } = header.version;
  const tagAt = header.end - retryTagBytes;
  const pseudoPacket = Buffer.concat([
    Buffer.from([originalDestination.length]),
    originalDestination,
    datagram.subarray(at, tagAt),
  ]);
  const opener = new AeadOpener({ aead: 'aes-128-gcm', tagBytes: 16 }, retryKey, retryNonce);
  return opener.openWithNonce(retryNonce, pseudoPacket, datagram.subarray(tagAt, header.end)) !== null;
}
