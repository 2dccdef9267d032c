/** Takes what a capture file holds, in the order of the file. */
export interface CaptureSink {
  /**
   * One captured frame.
   *
   * @param frame what was captured of it; a view that is valid during the call only
   * @param seconds since 1970
   * @param nanoseconds of that second
   * @param originalBytes its length on the wire
   * @param linkType LINKTYPE_ number of its interface
   */
  onFrame(
    frame: Uint8Array,
    seconds: number,
    nanoseconds: number,
    originalBytes: number,
    linkType: number,
  ): void;
  /** A TLS key log embedded in the file (pcapng Decryption Secrets Block). */
  onKeyLog(text: string): void;
  /** The format of the file has no place for keys: {@link onKeyLog} will not be called. */
  onNoKeys?(): void;
}

/** Reads one capture format. */
export interface CaptureFormat {
  /** Fewest bytes of the file that {@link read} could do something with next. */
  readonly wantedBytes: number;
  /**
   * Reads as many whole items as there are.
   *
   * @returns the position after the last whole item; `start` when {@link wantedBytes} are not there
   * @throws MalformedCapture when what is there cannot be an item; frames before it were given
   */
  read(bytes: Uint8Array, start: number): number;
}

/** The file breaks its own format; what stood before that point was read. */
export class MalformedCapture extends Error {
  override readonly name = 'MalformedCapture';
}

/**
 * Longest frame or block believed. libpcap's own limit is 256 KiB for a frame (MAXIMUM_SNAPLEN), but pcapng
 * carries key logs and name tables in one block.
 */
export const maxItemBytes = 64 * 1024 * 1024;
