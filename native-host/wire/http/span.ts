import type { Span } from '../stream-sink.ts';

/**
 * The span of what begins `offset` bytes into a piece. Which packet brought a byte in the middle of a TLS record
 * is not known, but none of it can be read before the last one: so it counts as begun there.
 */
export function spanFrom(span: Span, offset: number): Span {
  return offset === 0 ? span : { ...span, firstAtMs: span.lastAtMs };
}

/** The span of two neighbouring pieces together. */
export function joinSpans(earlier: Span, later: Span): Span {
  return {
    firstAtMs: Math.min(earlier.firstAtMs, later.firstAtMs),
    lastAtMs: Math.max(earlier.lastAtMs, later.lastAtMs),
    deliveredAtMs: Math.max(earlier.deliveredAtMs, later.deliveredAtMs),
  };
}
