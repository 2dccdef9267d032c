import type { Activity, Connection } from './connection.ts';
import type { Gathered } from './wire-report.ts';

/** A page load that is over: what {@link Gathered} needs of it besides what is known at the very end. */
export type PastLoad = Pick<Gathered, 'activities' | 'fromMs' | 'toMs' | 'otherPackets'>;

/** For the case of a capture without a single load. */
export const noLoad: PastLoad = {
  activities: [],
  fromMs: Number.NEGATIVE_INFINITY,
  toMs: Number.POSITIVE_INFINITY,
  otherPackets: new Map(),
};

/** Tells the page loads of a capture apart by the pauses of web traffic between them. */
export class LoadSplitter {
  readonly past: PastLoad[] = [];

  readonly #connections: readonly Connection[];
  readonly #idleMs: number;
  #fromMs = Number.NEGATIVE_INFINITY;
  /** Latest packet with payload of a web connection in the present load. */
  #lastWebAtMs: number | null = null;
  #otherPackets = new Map<string, number>();

  /**
   * @param connections all of the capture; more are added as they are seen
   * @param idleMs a pause this long ends a load; infinity makes one load of all
   */
  constructor(connections: readonly Connection[], idleMs: number) {
    this.#connections = connections;
    this.#idleMs = idleMs;
  }

  /** A packet that belongs to no connection. */
  countOther(name: string): void {
    this.#otherPackets.set(name, (this.#otherPackets.get(name) ?? 0) + 1);
  }

  /** Web traffic. Call before it is counted. */
  webPacket(atMs: number): void {
    this.splitBefore(atMs);
    this.#lastWebAtMs = atMs;
  }

  /** Web traffic, or a connection that may become some, after a long pause: another page load begins. */
  splitBefore(atMs: number): void {
    if (this.#lastWebAtMs !== null && atMs - this.#lastWebAtMs >= this.#idleMs) this.end(atMs);
  }

  /** Ends the present load before this time. */
  end(atMs: number): void {
    const activities: Activity[] = [];
    for (const connection of this.#connections) {
      const activity = connection.takeActivity();
      if (activity.flow.packets > 0) activities.push(activity);
    }
    this.past.push({ activities, fromMs: this.#fromMs, toMs: atMs, otherPackets: this.#otherPackets });
    this.#otherPackets = new Map();
    this.#fromMs = atMs;
    this.#lastWebAtMs = null;
  }
}
