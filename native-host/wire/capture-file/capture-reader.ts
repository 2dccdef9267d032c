import { MalformedCapture, type CaptureFormat, type CaptureSink } from './capture-sink.ts';
import { isPcap, PcapFormat, uint32be } from './pcap-format.ts';
import { isPcapng, PcapngFormat } from './pcapng-format.ts';

const magicBytes = 4;

/**
 * Reads a capture file of any format, given piece by piece: pcap or pcapng, recognised by its first bytes.
 * Frames are given to the sink as views on the pieces; only what a piece's end cuts through is copied.
 */
export class CaptureReader {
  /** Why reading stopped before the end; null while all is well. What came before was read. */
  problem: string | null = null;
  /** True once the file's header was read: it is a capture file. */
  recognised = false;

  /** True while not a byte was given. */
  isEmpty = true;

  readonly #sink: CaptureSink;
  #format: CaptureFormat | null = null;
  /** Bytes of an item whose end has not come. */
  #rest: Uint8Array = new Uint8Array(0);
  #restBytes = 0;

  constructor(sink: CaptureSink) {
    this.#sink = sink;
  }

  /** The next bytes of the file. */
  push(piece: Uint8Array): void {
    if (piece.length > 0) this.isEmpty = false;
    let at = 0;
    try {
      while (this.#restBytes > 0 && at < piece.length && !this.#stopped) {
        at = this.#completeRest(piece, at);
      }
      if (at < piece.length && !this.#stopped) {
        at = this.#read(piece, at);
        this.#keep(piece, at, piece.length);
      }
    } catch (error) {
      if (!(error instanceof MalformedCapture)) throw error;
      this.problem = error.message;
    }
  }

  /** The file has ended. */
  end(): void {
    if (this.problem !== null || this.#restBytes === 0) return;
    this.problem = this.recognised
      ? 'The file was cut in the middle of a packet.'
      : 'It is too short to be a capture file.';
  }

  get #stopped(): boolean {
    return this.problem !== null;
  }

  /** Takes from the piece what the cut item lacks, and no more, then reads it. */
  #completeRest(piece: Uint8Array, at: number): number {
    const wanted = this.#format?.wantedBytes ?? magicBytes;
    const end = Math.min(piece.length, at + Math.max(1, wanted - this.#restBytes));
    this.#keep(piece, at, end);
    const rest = this.#rest.subarray(0, this.#restBytes);
    const consumed = this.#read(rest, 0);
    rest.copyWithin(0, consumed);
    this.#restBytes -= consumed;
    return end;
  }

  #keep(piece: Uint8Array, start: number, end: number): void {
    const total = this.#restBytes + end - start;
    if (total > this.#rest.length) {
      const grown = new Uint8Array(Math.max(total, 2 * this.#rest.length));
      grown.set(this.#rest.subarray(0, this.#restBytes));
      this.#rest = grown;
    }
    this.#rest.set(piece.subarray(start, end), this.#restBytes);
    this.#restBytes = total;
  }

  #read(bytes: Uint8Array, start: number): number {
    if (this.#format === null) {
      if (bytes.length - start < magicBytes) return start;
      const magic = uint32be(bytes, start);
      if (isPcap(magic)) {
        this.#format = new PcapFormat(this.#sink);
        this.#sink.onNoKeys?.();
      } else if (isPcapng(magic)) this.#format = new PcapngFormat(this.#sink);
      else throw new MalformedCapture('It is neither a pcap nor a pcapng file.');
    }
    const end = this.#format.read(bytes, start);
    this.recognised ||= end > start;
    return end;
  }
}
