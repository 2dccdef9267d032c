/** No path of the web carries larger UDP payloads: a longer one was joined from several, or never left a machine. */
const largestPayloadBytes = 1472;

/** A shorter ID is found by chance too often to be looked for in every datagram. */
const leastTellingIdBytes = 4;

/** Header, sample and tag: the least a 1-RTT packet can be, RFC 9001 section 5.4.2. */
const leastPacketBytes = 21;

/**
 * Where segmentation offload joins datagrams before the capture sees them (UDP_SEGMENT at the sender, GRO at the
 * receiver), one captured datagram holds several of one size, the last at most as long. Each 1-RTT packet among
 * them begins with the connection ID of its receiver, so the ID's second occurrence tells the size.
 *
 * @param payload of UDP, beginning with a short header
 * @param connectionId what its receiver is called; empty where it chose no name
 * @returns the size of its segments; null when it is one datagram, or nothing tells
 */
export function segmentBytesOf(payload: Uint8Array, connectionId: Uint8Array): number | null {
  const isLong = payload.length > largestPayloadBytes;
  if (connectionId.length === 0 || (connectionId.length < leastTellingIdBytes && !isLong)) return null;
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
  let at = bytes.indexOf(connectionId, leastPacketBytes + 1);
  while (at >= 0) {
    const size = at - 1;
    if (isRepeated(bytes, connectionId, size)) return size;
    at = bytes.indexOf(connectionId, at + 1);
  }
  return null;
}

/** Whether every segment of this size, as far as captured, begins with a short header to the same receiver. */
function isRepeated(bytes: Buffer, connectionId: Uint8Array, size: number): boolean {
  for (let at = size; at + 1 + connectionId.length <= bytes.length; at += size) {
    const id = bytes.subarray(at + 1, at + 1 + connectionId.length);
    if ((bytes[at]! & 0xc0) !== 0x40 || id.compare(connectionId) !== 0) return false;
  }
  return true;
}
