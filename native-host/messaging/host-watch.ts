import type { HostRequest } from '../../shared/messages/host-protocol.ts';
import type { ObservedTime } from '../../shared/record/observed-time.ts';

export type TimeOnWireRequest = Extract<HostRequest, { type: 'time-on-wire' }>;

/** What the port needs of the watch over the person's own interface. Nobody watches until it is started. */
export interface HostWatch {
  /**
   * Begins to watch port 443 and these, or goes on with these added.
   * @returns the interface
   * @throws TowlineError why it cannot, with what mends it
   */
  start(ports: readonly number[]): Promise<string>;
  /** Ends it and forgets what was seen; nothing happens where there is none. */
  stop(): Promise<void>;
  /**
   * Time on Wire of a page load, once its window has closed: half a minute after the load event at the latest.
   * @throws TowlineError where nobody watches
   */
  timeOf(
    load: Pick<TimeOnWireRequest, 'fromMs' | 'toMs' | 'servers'>,
  ): Promise<{ time: ObservedTime; untilMs: number }>;
}
