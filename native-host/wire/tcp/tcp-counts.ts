import type { RttSummary } from '../rtt-series.ts';

/** What went on in a TCP connection for some time, as {@link TcpFlow} counts it. */
export interface TcpCounts {
  readonly retransmissionsDown: number;
  readonly retransmissionsUp: number;
  readonly outOfOrderDown: number;
  readonly outOfOrderUp: number;
  readonly duplicateAcksUp: number;
  readonly maxBytesInFlightDown: number;
  /** Packets of the server's first flight of application data; null when it was not seen. */
  readonly initialWindowPackets: number | null;
  /** From client data to the server's ACK of it; null without one. */
  readonly ackRtt: RttSummary | null;
}
