import type { Estimate, KeylessEstimates } from '../keyless/estimate.ts';
import type { WireEvent } from './event-log.ts';
import type { EventTimeline, WatchedConnection } from './watched-connection.ts';

/** What a connection carried of a page load. */
export interface Carried {
  readonly firstRequest: Estimate;
  readonly lastResponse: Estimate;
  readonly openedAtMs: number;
  /** It was open before the load began. */
  readonly isReused: boolean;
}

/** The events of one connection told again: those long before a page load, right before it, and during it. */
export class ConnectionReplay {
  readonly connection: WatchedConnection;
  /** The client said something during the load: without that, it cannot have asked for anything. */
  isActive = false;
  /** It carried something else right before the load, which may go on into it. */
  isBusy = false;

  readonly #beforeMs: number;
  readonly #fromMs: number;
  readonly #timeline: EventTimeline;
  #phase: 'earlier' | 'before' | 'during' = 'earlier';
  #carriedEarlier: boolean;

  /**
   * @param beforeMs where "right before" begins, ms since 1970
   * @param fromMs where the load begins
   * @param forgottenUntilMs the log has no events of that time and earlier
   */
  constructor(connection: WatchedConnection, beforeMs: number, fromMs: number, forgottenUntilMs: number) {
    const fromOpening = connection.openedAtMs > forgottenUntilMs;
    this.connection = connection;
    this.#beforeMs = beforeMs;
    this.#fromMs = fromMs;
    this.#timeline = connection.timeline(fromOpening);
    this.#carriedEarlier = !fromOpening;
  }

  /** The next event of the connection, before the load's window closes. */
  event(event: WireEvent): void {
    if (this.#phase === 'earlier' && event.atMs >= this.#beforeMs) this.#enter('before');
    if (this.#phase === 'before') {
      if (event.atMs >= this.#fromMs) this.#enter('during');
      // A handshake ahead of the load is no use of it yet.
      else if (this.#carriedEarlier && event.direction === 'down') this.isBusy = true;
    }
    if (this.#phase === 'during' && event.direction === 'up') this.isActive = true;
    this.#timeline.event(event);
  }

  /** What it carried of the load; null when it carried no request, as spare connections do. Call once, at the end. */
  carried(): Carried | null {
    if (!this.isActive) return null;
    const { firstRequest, lastResponse } = this.#timeline.take();
    if (firstRequest === null || lastResponse === null) return null;
    const { openedAtMs } = this.connection;
    return { firstRequest, lastResponse, openedAtMs, isReused: openedAtMs < this.#fromMs };
  }

  #enter(phase: 'before' | 'during'): void {
    const { firstRequest }: KeylessEstimates = this.#timeline.take();
    if (phase === 'before') this.#carriedEarlier ||= firstRequest !== null;
    else this.isBusy ||= firstRequest !== null;
    this.#phase = phase;
  }
}
