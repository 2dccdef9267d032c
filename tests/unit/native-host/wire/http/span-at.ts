import type { Span } from '../../../../../native-host/wire/stream-sink.ts';

/** The span of a piece that came in one packet. */
export function spanAt(atMs: number, deliveredAtMs = atMs): Span {
  return { firstAtMs: atMs, lastAtMs: atMs, deliveredAtMs };
}
