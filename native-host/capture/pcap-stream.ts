import type { OnPacket } from './packet-source.ts';

/** Length of the header that begins the stream. */
export const pcapFileHeaderBytes = 24;

const packetHeaderBytes = 16;

/** The file header's magic number by its bytes: byte order and unit of the fraction of a second. */
const magics: Readonly<Record<string, { littleEndian: boolean; nanosecondsPerUnit: number }>> = {
  d4c3b2a1: { littleEndian: true, nanosecondsPerUnit: 1000 },
  '4d3cb2a1': { littleEndian: true, nanosecondsPerUnit: 1 },
  a1b2c3d4: { littleEndian: false, nanosecondsPerUnit: 1000 },
  a1b23c4d: { littleEndian: false, nanosecondsPerUnit: 1 },
};

/** Reads the pcap stream that tcpdump writes to its standard output (draft-ietf-opsawg-pcap). */
export class PcapStream {
  readonly #onPacket: OnPacket;
  #rest: Buffer = Buffer.alloc(0);
  #linkType: number | null = null;
  #littleEndian = true;
  #nanosecondsPerUnit = 1;

  constructor(onPacket: OnPacket) {
    this.#onPacket = onPacket;
  }

  /** Null until the file header has come. */
  get linkType(): number | null {
    return this.#linkType;
  }

  /** @throws Error when it is no pcap stream */
  push(chunk: Buffer): void {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    if (this.#linkType === null) {
      if (bytes.length < pcapFileHeaderBytes) {
        this.#rest = bytes;
        return;
      }
      this.#readFileHeader(bytes);
      bytes = bytes.subarray(pcapFileHeaderBytes);
    }
    this.#rest = bytes.subarray(this.#readPackets(bytes));
  }

  #readFileHeader(bytes: Buffer): void {
    const magic = magics[bytes.toString('hex', 0, 4)];
    if (!magic) throw new Error('what tcpdump wrote is no pcap stream');
    this.#littleEndian = magic.littleEndian;
    this.#nanosecondsPerUnit = magic.nanosecondsPerUnit;
    // The upper bits tell of a frame check sequence.
    this.#linkType = this.#u32(bytes, 20) & 0xffff;
  }

  /** @returns how many bytes were whole packets */
  #readPackets(bytes: Buffer): number {
    let at = 0;
    while (bytes.length - at >= packetHeaderBytes) {
      const capturedLength = this.#u32(bytes, at + 8);
      const start = at + packetHeaderBytes;
      if (bytes.length - start < capturedLength) break;
      this.#onPacket(
        bytes.subarray(start, start + capturedLength),
        this.#u32(bytes, at),
        this.#u32(bytes, at + 4) * this.#nanosecondsPerUnit,
        this.#u32(bytes, at + 12),
      );
      at = start + capturedLength;
    }
    return at;
  }

  #u32(bytes: Buffer, at: number): number {
    return this.#littleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
  }
}
