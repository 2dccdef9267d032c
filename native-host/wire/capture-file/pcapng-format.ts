import { MalformedCapture, maxItemBytes, type CaptureFormat, type CaptureSink } from './capture-sink.ts';
import { uint32be, uint32le } from './pcap-format.ts';

/** Block types (draft-ietf-opsawg-pcapng section 4 and appendix). */
const block = {
  sectionHeader: 0x0a0d0d0a,
  interfaceDescription: 1,
  packet: 2,
  simplePacket: 3,
  enhancedPacket: 6,
  decryptionSecrets: 0x0000000a,
} as const;

const option = { endOfOptions: 0, timestampResolution: 9, timestampOffset: 14 } as const;

/** Secrets type of a TLS key log: "TLSK". */
const tlsKeyLog = 0x544c534b;

/** Type, two lengths: the smallest block there is. */
const smallestBlockBytes = 12;

interface Interface {
  readonly linkType: number;
  readonly snapBytes: number;
  readonly ticksPerSecond: number;
  /** Seconds to add to every time of this interface. */
  readonly offsetSeconds: number;
}

/** Whether a file with these first four bytes is a pcapng file. The number reads the same in both orders. */
export function isPcapng(magic: number): boolean {
  return magic === block.sectionHeader;
}

/**
 * Reads pcapng files: several sections and interfaces, each with its own resolution, and embedded TLS key
 * logs. Blocks of other types are stepped over.
 */
export class PcapngFormat implements CaptureFormat {
  readonly #sink: CaptureSink;
  #wantedBytes = smallestBlockBytes;
  #uint32 = uint32le;
  #interfaces: Interface[] = [];

  constructor(sink: CaptureSink) {
    this.#sink = sink;
  }

  get wantedBytes(): number {
    return this.#wantedBytes;
  }

  read(bytes: Uint8Array, start: number): number {
    let at = start;
    for (;;) {
      if (bytes.length - at < smallestBlockBytes) {
        this.#wantedBytes = smallestBlockBytes;
        return at;
      }
      const type = this.#uint32(bytes, at);
      if (type === block.sectionHeader) this.#byteOrder(uint32be(bytes, at + 8));
      const blockBytes = this.#uint32(bytes, at + 4);
      if (blockBytes < smallestBlockBytes || blockBytes % 4 !== 0 || blockBytes > maxItemBytes) {
        throw new MalformedCapture(`A block claims to be ${blockBytes} bytes long.`);
      }
      if (bytes.length - at < blockBytes) {
        this.#wantedBytes = blockBytes;
        return at;
      }
      this.#block(type, bytes, at + 8, at + blockBytes - 4);
      at += blockBytes;
    }
  }

  #byteOrder(magic: number): void {
    if (magic === 0x1a2b3c4d) this.#uint32 = uint32be;
    else if (magic === 0x4d3c2b1a) this.#uint32 = uint32le;
    else throw new MalformedCapture('A section does not say its byte order.');
  }

  /** @param start of the block's body, `end` of it */
  #block(type: number, bytes: Uint8Array, start: number, end: number): void {
    switch (type) {
      case block.enhancedPacket:
        this.#enhancedPacket(bytes, start, end);
        break;
      case block.simplePacket:
        this.#simplePacket(bytes, start, end);
        break;
      case block.packet:
        this.#obsoletePacket(bytes, start, end);
        break;
      case block.sectionHeader:
        this.#interfaces = [];
        break;
      case block.interfaceDescription:
        this.#interfaceDescription(bytes, start, end);
        break;
      case block.decryptionSecrets:
        this.#decryptionSecrets(bytes, start, end);
        break;
    }
  }

  #enhancedPacket(bytes: Uint8Array, start: number, end: number): void {
    if (end - start < 20) return;
    const uint32 = this.#uint32;
    this.#frame(bytes, start + 20, end, uint32(bytes, start), {
      high: uint32(bytes, start + 4),
      low: uint32(bytes, start + 8),
      capturedBytes: uint32(bytes, start + 12),
      originalBytes: uint32(bytes, start + 16),
    });
  }

  /** The Packet Block of pcapng's first years, still written by old tools. */
  #obsoletePacket(bytes: Uint8Array, start: number, end: number): void {
    if (end - start < 20) return;
    const uint32 = this.#uint32;
    this.#frame(bytes, start + 20, end, this.#uint16(bytes, start), {
      high: uint32(bytes, start + 4),
      low: uint32(bytes, start + 8),
      capturedBytes: uint32(bytes, start + 12),
      originalBytes: uint32(bytes, start + 16),
    });
  }

  /** Has no time: 1970 stands for it, and the analyzer says that times are missing. */
  #simplePacket(bytes: Uint8Array, start: number, end: number): void {
    const from = this.#interfaces[0];
    if (end - start < 4 || from === undefined) return;
    const originalBytes = this.#uint32(bytes, start);
    const limit = from.snapBytes === 0 ? originalBytes : Math.min(originalBytes, from.snapBytes);
    this.#frame(bytes, start + 4, end, 0, {
      high: 0,
      low: 0,
      capturedBytes: Math.min(limit, end - start - 4),
      originalBytes,
    });
  }

  #frame(
    bytes: Uint8Array,
    at: number,
    end: number,
    interfaceId: number,
    header: { high: number; low: number; capturedBytes: number; originalBytes: number },
  ): void {
    const from = this.#interfaces[interfaceId];
    if (from === undefined || at + header.capturedBytes > end) return;
    // Long division in 16-bit steps: 64-bit ticks do not fit a double, but the remainder of a step does.
    const { ticksPerSecond } = from;
    const upper = (header.high % ticksPerSecond) * 0x10000 + (header.low >>> 16);
    const lower = (upper % ticksPerSecond) * 0x10000 + (header.low & 0xffff);
    const seconds =
      Math.floor(header.high / ticksPerSecond) * 2 ** 32 +
      Math.floor(upper / ticksPerSecond) * 0x10000 +
      Math.floor(lower / ticksPerSecond);
    const nanoseconds = Math.round((lower % ticksPerSecond) * (1e9 / ticksPerSecond));
    this.#sink.onFrame(
      bytes.subarray(at, at + header.capturedBytes),
      seconds + from.offsetSeconds,
      nanoseconds,
      header.originalBytes,
      from.linkType,
    );
  }

  #interfaceDescription(bytes: Uint8Array, start: number, end: number): void {
    if (end - start < 8) return;
    let ticksPerSecond = 1e6;
    let offsetSeconds = 0;
    let at = start + 8;
    while (end - at >= 4) {
      const code = this.#uint16(bytes, at);
      const length = this.#uint16(bytes, at + 2);
      const value = at + 4;
      if (code === option.endOfOptions || value + length > end) break;
      if (code === option.timestampResolution && length >= 1) {
        const exponent = bytes[value]! & 0x7f;
        ticksPerSecond = (bytes[value]! & 0x80) === 0 ? 10 ** exponent : 2 ** exponent;
      } else if (code === option.timestampOffset && length >= 8) {
        offsetSeconds = this.#int64(bytes, value);
      }
      at = value + length + (-length & 3);
    }
    this.#interfaces.push({
      linkType: this.#uint16(bytes, start),
      snapBytes: this.#uint32(bytes, start + 4),
      ticksPerSecond,
      offsetSeconds,
    });
  }

  #decryptionSecrets(bytes: Uint8Array, start: number, end: number): void {
    if (end - start < 8 || this.#uint32(bytes, start) !== tlsKeyLog) return;
    const length = Math.min(this.#uint32(bytes, start + 4), end - start - 8);
    this.#sink.onKeyLog(Buffer.from(bytes.subarray(start + 8, start + 8 + length)).toString('latin1') + '\n');
  }

  #uint16(bytes: Uint8Array, at: number): number {
    return this.#uint32 === uint32le
      ? bytes[at]! | (bytes[at + 1]! << 8)
      : (bytes[at]! << 8) | bytes[at + 1]!;
  }

  #int64(bytes: Uint8Array, at: number): number {
    const first = this.#uint32(bytes, at);
    const second = this.#uint32(bytes, at + 4);
    const [high, low] = this.#uint32 === uint32le ? [second, first] : [first, second];
    return (high | 0) * 2 ** 32 + low;
  }
}
