import type { NoTimeReason, ObservedTime } from '../../../shared/record/observed-time.ts';
import type { Endpoint } from '../flow-record.ts';
import { difference, exactly, firstOf, lastOf, type Estimate } from '../keyless/estimate.ts';
import { roundedMs } from '../rounded-ms.ts';
import { ConnectionReplay } from './connection-replay.ts';
import type { WatchedConnections } from './watched-connections.ts';

/** One page load, as the browser tells of it. */
export interface ObservedLoad {
  /** When the navigation began and the load event ended, ms since 1970. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Who served it. Addresses as RFC 5952 writes them. */
  readonly servers: readonly Endpoint[];
}

/** What is known of a load at some moment. */
export interface LoadTime {
  /** When the load's window closes, ms since 1970: its network was quiet, or it had had time enough. */
  readonly untilMs: number;
  readonly time: ObservedTime;
}

/** No packet for so long: the load is over. Before it as well: what came earlier was something else's. */
const quietMs = 500;

/** So long after the load event the window closes, whatever still passes. */
const longestMs = 30_000;

/** The browser's clock and the capture's are the same, but for what it rounds and drifts. */
const clockSlackMs = 10;

/**
 * Time on Wire of a load, by the rules that need no keys. Its connections are those with its servers that carried
 * anything in its window; the window closes as a trial's does, at the load event plus quiet. It can be asked again: the answer
 * is final once `untilMs` is past.
 *
 * @param atMs now, ms since 1970
 */
export function loadTime(watched: WatchedConnections, load: ObservedLoad, atMs: number): LoadTime {
  const { log } = watched;
  const fromMs = load.fromMs - clockSlackMs;
  const beforeMs = fromMs - quietMs;
  const servers = new Set(load.servers.map(keyOf));
  const replays = new Map<number, ConnectionReplay>();
  for (const connection of watched.all) {
    if (!servers.has(keyOf(connection.server))) continue;
    replays.set(connection.id, new ConnectionReplay(connection, beforeMs, fromMs, log.forgottenUntilMs));
  }
  const isTheirs = (id: number): boolean => replays.has(id);
  const afterLoadMs: number[] = [];
  log.replay(isTheirs, (event) => {
    if (event.atMs >= load.toMs) afterLoadMs.push(event.atMs);
  });
  const untilMs = closingMs(load.toMs, afterLoadMs);
  log.replay(isTheirs, (event) => {
    if (event.atMs <= untilMs) replays.get(event.connectionId)?.event(event);
  });
  const tooMuch = Math.max(log.forgottenUntilMs, watched.overflowAtMs) >= beforeMs;
  const window = { fromMs, untilMs: Math.min(untilMs, atMs) };
  return { untilMs, time: tooMuch ? none('too-much') : timeOf([...replays.values()], window) };
}

/** A load without a time. */
export function none(missing: NoTimeReason): ObservedTime {
  return { missing, detail: null };
}

function keyOf({ address, port }: Endpoint): string {
  return `${address} ${port}`;
}

/** @param eventsAtMs since the load event, in any order */
function closingMs(loadedAtMs: number, eventsAtMs: readonly number[]): number {
  let lastAtMs = loadedAtMs;
  for (const atMs of eventsAtMs.toSorted((a, b) => a - b)) {
    if (atMs - lastAtMs >= quietMs) break;
    lastAtMs = atMs;
  }
  return Math.min(lastAtMs + quietMs, loadedAtMs + longestMs);
}

function timeOf(
  replays: readonly ConnectionReplay[],
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): ObservedTime {
  const during = replays.filter(
    ({ isActive, connection: { unread, openedAtMs, lastAtMs } }) =>
      isActive || (unread !== null && openedAtMs <= untilMs && lastAtMs >= fromMs),
  );
  for (const { connection } of during) if (connection.unread !== null) return none(connection.unread);
  if (during.some(({ connection }) => connection.lossAtMs >= fromMs)) return none('lost');
  if (during.some(({ isBusy }) => isBusy)) return none('busy');
  const carried = during.flatMap((replay) => replay.carried() ?? []);
  const firstRequest = firstOf(carried.map((c) => c.firstRequest));
  const lastResponse = lastOf(carried.map((c) => c.lastResponse));
  if (firstRequest === null || lastResponse === null) return none('no-packets');
  const reusedConnections = carried.filter((c) => c.isReused).length;
  const opening = reusedConnections > 0 ? null : firstOf(carried.map((c) => exactly(c.openedAtMs)));
  return {
    missing: null,
    timeOnWire: between(firstRequest, lastResponse),
    setup: opening && between(opening, firstRequest),
    wireTotal: opening && between(opening, lastResponse),
    connections: carried.length,
    reusedConnections,
  };
}

function between(earlier: Estimate, later: Estimate): { valueMs: number; errorBoundMs: number } {
  const { valueMs, errorBoundMs } = difference(later, earlier);
  return { valueMs: roundedMs(valueMs), errorBoundMs: roundedMs(errorBoundMs) };
}
