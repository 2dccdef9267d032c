import { readInt32, readUint16, type Packet } from '../packet/packet.ts';

/** Control bits, RFC 9293 section 3.1. */
export const tcpFlag = { fin: 0x01, syn: 0x02, rst: 0x04, ack: 0x10 } as const;

const optionKind = { end: 0, noOperation: 1, maximumSegmentSize: 2, timestamps: 8 } as const;

/** A TCP header and where its payload lies. One object is filled anew for every segment. */
export class Segment {
  sourcePort = 0;
  destinationPort = 0;
  /** Sequence numbers are kept as signed 32-bit: only their differences mean anything. */
  sequence = 0;
  acknowledgement = 0;
  flags = 0;
  window = 0;
  bytes: Uint8Array = new Uint8Array(0);
  payloadAt = 0;
  /** End of the payload that the capture holds. */
  payloadCapturedEnd = 0;
  /** Payload bytes sent, captured or not. */
  payloadBytes = 0;
  /** Of a SYN: MSS option, or null; and whether timestamps are offered. */
  maximumSegmentSize: number | null = null;
  timestamps = false;

  /** @returns false when the header is malformed */
  read(packet: Packet): boolean {
    const { bytes, transportAt: at } = packet;
    const headerBytes = (bytes[at + 12]! >> 4) * 4;
    this.payloadBytes = packet.wireEnd - at - headerBytes;
    if (headerBytes < 20 || this.payloadBytes < 0) return false;
    this.sourcePort = readUint16(bytes, at);
    this.destinationPort = readUint16(bytes, at + 2);
    this.sequence = readInt32(bytes, at + 4);
    this.acknowledgement = readInt32(bytes, at + 8);
    this.flags = bytes[at + 13]!;
    this.window = readUint16(bytes, at + 14);
    this.bytes = bytes;
    this.payloadAt = Math.min(at + headerBytes, packet.capturedEnd);
    this.payloadCapturedEnd = packet.capturedEnd;
    if ((this.flags & tcpFlag.syn) !== 0) this.#readSynOptions(at + 20, this.payloadAt);
    return true;
  }

  #readSynOptions(start: number, end: number): void {
    this.maximumSegmentSize = null;
    this.timestamps = false;
    let at = start;
    while (at < end) {
      const kind = this.bytes[at]!;
      if (kind === optionKind.end) return;
      if (kind === optionKind.noOperation) {
        at += 1;
        continue;
      }
      const length = at + 1 < end ? this.bytes[at + 1]! : 0;
      if (length < 2 || at + length > end) return;
      if (kind === optionKind.maximumSegmentSize && length === 4) {
        this.maximumSegmentSize = readUint16(this.bytes, at + 2);
      } else if (kind === optionKind.timestamps) {
        this.timestamps = true;
      }
      at += length;
    }
  }
}
