import type { Endpoint } from '../flow-record.ts';
import type { KeylessEstimates } from '../keyless/estimate.ts';
import type { WireEvent } from './event-log.ts';

/** Reads the first request and the last response of a connection from its events. */
export interface EventTimeline {
  event(event: WireEvent): void;
  /** The estimates since the last call; what comes next is another page load. */
  take(): KeylessEstimates;
}

/** A connection that passes by: who serves it, and what is needed to read its events. */
export interface WatchedConnection {
  readonly id: number;
  readonly server: Endpoint;
  /** Its first packet, ms since 1970. */
  readonly openedAtMs: number;
  /** Its last packet that brought anything. */
  lastAtMs: number;
  /**
   * Why its events tell nothing; null when they do.
   * - `late-capture`: it had begun before the watch, so where its records begin is not known;
   * - `in-the-clear`: it is not encrypted, and is not read.
   */
  readonly unread: 'late-capture' | 'in-the-clear' | null;
  /** When bytes of it were last seen to be missing, ms since 1970; minus infinity when none ever were. */
  readonly lossAtMs: number;
  /** @param fromOpening false when the log has no events of its beginning any more */
  timeline(fromOpening: boolean): EventTimeline;
}
