import type { Endpoint } from '../flow-record.ts';
import type { EventTimeline, WatchedConnection } from './watched-connection.ts';

/** A connection whose beginning was not seen. That it carries something is all that is known. */
export class UnreadConnection implements WatchedConnection {
  readonly unread = 'late-capture';
  readonly lossAtMs = Number.NEGATIVE_INFINITY;
  readonly id: number;
  readonly server: Endpoint;
  readonly openedAtMs: number;
  lastAtMs: number;

  constructor(id: number, server: Endpoint, openedAtMs: number) {
    this.id = id;
    this.server = server;
    this.openedAtMs = this.lastAtMs = openedAtMs;
  }

  timeline(): EventTimeline {
    return { event: () => undefined, take: () => ({ firstRequest: null, lastResponse: null }) };
  }
}
