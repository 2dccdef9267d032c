import { WatchedConnections } from '../../native-host/wire/watched/watched-connections.ts';
import { EventLog } from '../../native-host/wire/watched/event-log.ts';
import type { Frame } from './frames.ts';

/** Ethernet, as the fixtures' captures are. */
const ethernet = 1;

/** What a watch over port 443 has seen once these frames have passed. */
export function watched(
  frames: readonly Frame[],
  eventsKept?: number,
  maxConnections?: number,
): WatchedConnections {
  const connections = new WatchedConnections(new EventLog(eventsKept), maxConnections);
  connections.ports = [443];
  for (const { bytes, seconds, nanoseconds, originalBytes } of frames) {
    connections.push(bytes, seconds, nanoseconds, originalBytes, ethernet);
  }
  return connections;
}
