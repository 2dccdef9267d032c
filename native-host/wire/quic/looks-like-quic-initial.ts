import { isLongHeader, parseInvariantHeader, parseLongHeader } from './long-header.ts';

/** Smallest datagram that may carry a client's first Initial, RFC 9000 section 14.1. */
const minDatagramBytes = 1200;

/** Smallest connection ID a client may make up for its first Initial, RFC 9000 section 7.2. */
const minConnectionIdBytes = 8;

/**
 * Whether a UDP payload reads as what a client opens a QUIC connection with: an Initial of version 1 or 2 in
 * a datagram of at least 1,200 bytes.
 *
 * @param originalBytes the payload's length on the wire, which a short snap length may have cut
 */
export function looksLikeQuicInitial(payload: Uint8Array, originalBytes = payload.length): boolean {
  if (originalBytes < minDatagramBytes || payload.length < 7 || !isLongHeader(payload, 0)) return false;
  const invariant = parseInvariantHeader(payload, 0);
  if (invariant === null || invariant.destination.length < minConnectionIdBytes) return false;
  return parseLongHeader(payload, 0, invariant)?.type === 'initial';
}
