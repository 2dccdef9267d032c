/**
 * The whole packet number from its last bytes, RFC 9000 appendix A.3.
 *
 * @param largest received so far in this number space and direction, -1 before the first
 * @param truncated as in the packet
 * @param lengthBytes of it, 1 to 4
 */
export function decodePacketNumber(largest: number, truncated: number, lengthBytes: number): number {
  const expected = largest + 1;
  const window = 2 ** (8 * lengthBytes);
  const candidate = expected - (expected % window) + truncated;
  if (candidate <= expected - window / 2 && candidate + window < Number.MAX_SAFE_INTEGER) {
    return candidate + window;
  }
  return candidate > expected + window / 2 && candidate >= window ? candidate - window : candidate;
}
