import type { HostMessage, HostRequest } from '../../shared/messages/host-protocol.ts';

/** The one place that a relay leads to. */
export type RelayTarget = Pick<Extract<HostRequest, { type: 'start-relay' }>, 'host' | 'port'>;

/** Where a relay listens, and what it asks for. */
export type RelayEntrance = Pick<Extract<HostMessage, { type: 'relay' }>, 'port' | 'secret'>;

/** What the port needs of the relay: one at most, which ends with the host. */
export interface HostRelay {
  /** Ends the relay that goes on, if any, and opens one to this host and port alone. */
  start(target: RelayTarget): Promise<RelayEntrance>;
  /** Ends the relay and every connection through it. */
  stop(): Promise<void>;
}
