import { MalformedCapture, maxItemBytes, type CaptureFormat, type CaptureSink } from './capture-sink.ts';

/** Header of the file and of each frame (draft-ietf-opsawg-pcap sections 4 and 5). */
export const pcapFileHeaderBytes = 24;
const frameHeaderBytes = 16;

/** The first four bytes as they stand in the file, most significant first. */
const magics: ReadonlyMap<number, { littleEndian: boolean; unitsPerSecond: number }> = new Map([
  [0xa1b2c3d4, { littleEndian: false, unitsPerSecond: 1e6 }],
  [0xd4c3b2a1, { littleEndian: true, unitsPerSecond: 1e6 }],
  [0xa1b23c4d, { littleEndian: false, unitsPerSecond: 1e9 }],
  [0x4d3cb2a1, { littleEndian: true, unitsPerSecond: 1e9 }],
]);

/** Whether a file with these first four bytes is a pcap file. */
export function isPcap(magic: number): boolean {
  return magics.has(magic);
}

/** Reads pcap files: both byte orders, micro- and nanoseconds. */
export class PcapFormat implements CaptureFormat {
  readonly #sink: CaptureSink;
  #wantedBytes = pcapFileHeaderBytes;
  #littleEndian = true;
  #nanosecondsPerUnit = 1000;
  #linkType: number | null = null;

  constructor(sink: CaptureSink) {
    this.#sink = sink;
  }

  get wantedBytes(): number {
    return this.#wantedBytes;
  }

  read(bytes: Uint8Array, start: number): number {
    let at = start;
    if (this.#linkType === null) {
      if (bytes.length - at < pcapFileHeaderBytes) return at;
      this.#readFileHeader(bytes, at);
      at += pcapFileHeaderBytes;
    }
    return this.#littleEndian ? this.#frames(bytes, at, uint32le) : this.#frames(bytes, at, uint32be);
  }

  #readFileHeader(bytes: Uint8Array, at: number): void {
    const format = magics.get(uint32be(bytes, at));
    if (format === undefined) throw new MalformedCapture('It does not begin like a pcap file.');
    this.#littleEndian = format.littleEndian;
    this.#nanosecondsPerUnit = 1e9 / format.unitsPerSecond;
    const uint32 = format.littleEndian ? uint32le : uint32be;
    // The upper bits tell of a frame check sequence, which the IP length leaves out anyway.
    this.#linkType = uint32(bytes, at + 20) & 0xffff;
    this.#wantedBytes = frameHeaderBytes;
  }

  #frames(bytes: Uint8Array, start: number, uint32: typeof uint32le): number {
    const sink = this.#sink;
    const linkType = this.#linkType ?? 0;
    const nanosecondsPerUnit = this.#nanosecondsPerUnit;
    let at = start;
    while (bytes.length - at >= frameHeaderBytes) {
      const capturedBytes = uint32(bytes, at + 8);
      if (capturedBytes > maxItemBytes) {
        throw new MalformedCapture(`A frame claims to be ${capturedBytes} bytes long.`);
      }
      const end = at + frameHeaderBytes + capturedBytes;
      if (end > bytes.length) {
        this.#wantedBytes = end - at;
        return at;
      }
      sink.onFrame(
        bytes.subarray(at + frameHeaderBytes, end),
        uint32(bytes, at),
        uint32(bytes, at + 4) * nanosecondsPerUnit,
        uint32(bytes, at + 12),
        linkType,
      );
      at = end;
    }
    this.#wantedBytes = frameHeaderBytes;
    return at;
  }
}

export function uint32le(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}

export function uint32be(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}
