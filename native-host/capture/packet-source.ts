import type { Capture } from '../../shared/record/trial.ts';

/**
 * Takes one packet.
 *
 * @param frame from the link header on, cut at the snap length; a view on a buffer that the next packet reuses
 * @param seconds whole seconds since 1970
 * @param nanoseconds 0 to 999,999,999
 * @param originalLength of the frame on the wire, bytes
 */
export type OnPacket = (
  frame: Uint8Array,
  seconds: number,
  nanoseconds: number,
  originalLength: number,
) => void;

/** What to capture. */
export interface CaptureOptions {
  readonly interface: string;
  /** libpcap filter expression (pcap-filter(7)); empty for everything. */
  readonly filter: string;
  /** Bytes kept of each frame. */
  readonly snapLength: number;
  readonly onPacket: OnPacket;
  /**
   * How long packets may wait before they are handed over, ms; 10 when left out. Longer costs less while little
   * passes. Their times do not depend on it.
   */
  readonly holdMs?: number;
}

/** What libpcap said when the capture ended, as the record keeps it. */
export type CaptureStats = Omit<Capture, 'source' | 'snapLength'>;

/** A running capture. Its owner calls {@link stop} in the end, whatever happens. */
export interface PacketSource {
  readonly kind: Capture['source'];
  /** LINKTYPE_ number of the frames (https://www.tcpdump.org/linktypes.html). */
  readonly linkType: number;
  /** Lets packets come: those since the capture was opened first. */
  start(): void;
  /**
   * Packets lost so far, by the kernel or the interface; null where that is not told.
   *
   * @throws TowlineError `capture-failed` when the capture has broken off
   */
  lost(): Promise<number | null>;
  /**
   * Ends the capture once every packet that passed before this call was handed over.
   *
   * @throws TowlineError `capture-failed` when the capture broke off before
   */
  stop(): Promise<CaptureStats>;
}
