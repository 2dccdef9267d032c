import type { Figure, Traffic, Wire, WireFlow } from '../../shared/record/wire.ts';
import type { Activity } from './connection.ts';
import { flowReport } from './flow-report.ts';
import { difference, exactly, firstOf, lastOf } from './keyless/estimate.ts';
import type { KeyLog } from './keys/key-log.ts';
import { loadConnections, type LoadedConnection, type LoadTimes } from './page-load.ts';
import { Page, type PageDescription } from './page.ts';
import { requestReports } from './request-report.ts';
import { roundedMs } from './rounded-ms.ts';
import { TrafficBins } from './traffic-bins.ts';

/** What the analyzer has gathered of one page load. */
export interface Gathered extends LoadTimes {
  readonly activities: readonly Activity[];
  readonly keyLog: KeyLog;
  /** Packets that belong to no connection, by name. */
  readonly otherPackets: ReadonlyMap<string, number>;
  readonly notes: readonly string[];
}

/** Chromium asks for it on the page's own connection, and nothing but its path tells it from the page's requests. */
const ownRequestsNote = 'Without keys, a favicon that the browser asked for counts as part of the page.';

/** Makes the record of one page load from what was gathered. */
export function wireReport(gathered: Gathered, description: PageDescription): Wire {
  const page = new Page(description);
  const connections = loadConnections(gathered.activities, gathered, page);
  const pageConnections = connections.filter((c) => c.page !== null);
  const opening = firstOf(pageConnections.map(({ activity }) => exactly(activity.flow.openedAtMs)));
  const epochMs = opening?.atMs ?? null;
  const anyRead = pageConnections.some(({ activity }) => activity.connection.keyed);
  const isKeyed = epochMs !== null && pageConnections.every(({ page }) => page?.whole);
  const requests = epochMs === null ? { reports: [], notes: [] } : requestReports(connections, page, epochMs);
  const flows = connections.map((connection) => flowReport(connection, epochMs));
  const pageFlows = flows.filter((flow) => flow.page);
  const sum = (count: (flow: WireFlow) => number): number =>
    pageFlows.reduce((total, flow) => total + count(flow), 0);
  return {
    method: isKeyed ? 'keyed' : 'keyless',
    epochMs,
    ...figures(pageConnections, epochMs),
    bytesDown: sum((flow) => flow.bytesDown),
    bytesUp: sum((flow) => flow.bytesUp),
    packetsDown: sum((flow) => flow.packetsDown),
    packetsUp: sum((flow) => flow.packetsUp),
    retransmissionsDown: sum((flow) => flow.retransmissionsDown ?? 0),
    traffic: epochMs === null ? null : trafficOf(pageConnections, epochMs),
    flows,
    requests: requests.reports,
    otherPackets: otherPackets(gathered.otherPackets, connections),
    notes: [
      ...gathered.notes,
      ...keyNotes(gathered),
      ...connectionNotes(pageConnections, gathered),
      ...requests.notes,
      ...(epochMs === null || description.requests !== null || anyRead ? [] : [ownRequestsNote]),
    ],
  };
}

function figures(
  connections: readonly LoadedConnection[],
  epochMs: number | null,
): Pick<Wire, 'firstRequestAtMs' | 'lastResponseAtMs' | 'timeOnWireMs' | 'setupMs' | 'wireTotalMs'> {
  const firstRequest = firstOf(connections.flatMap(({ page }) => page?.firstRequest ?? []));
  const lastResponse = lastOf(connections.flatMap(({ page }) => page?.lastResponse ?? []));
  const none = missing('No flow of the capture carries a request of the page.');
  const start = epochMs === null ? null : exactly(epochMs);
  const setup = firstRequest && start ? figure(difference(firstRequest, start)) : none;
  const noResponse = firstRequest === null ? none : missing('No response to the page is in the capture.');
  const total = lastResponse && start ? figure(difference(lastResponse, start)) : noResponse;
  return {
    firstRequestAtMs: setup,
    lastResponseAtMs: total,
    timeOnWireMs: lastResponse && firstRequest ? figure(difference(lastResponse, firstRequest)) : noResponse,
    setupMs: setup,
    wireTotalMs: total,
  };
}

function figure({ valueMs, errorBoundMs }: ReturnType<typeof difference>): Figure {
  return { value: roundedMs(valueMs), errorBoundMs: roundedMs(errorBoundMs), missing: null };
}

function missing(reason: string): Figure {
  return { value: null, errorBoundMs: null, missing: reason };
}

function trafficOf(connections: readonly LoadedConnection[], epochMs: number): Traffic | null {
  const sum = new TrafficBins();
  for (const { activity } of connections) sum.add(activity.flow.traffic);
  return sum.report(epochMs);
}

/** With the packets of the page's flows, every packet of the capture is counted once. */
function otherPackets(
  unconnected: ReadonlyMap<string, number>,
  connections: readonly LoadedConnection[],
): Record<string, number> {
  const counts = new Map(unconnected);
  for (const { activity, page } of connections) {
    if (page !== null) continue;
    const { kind } = activity.connection;
    counts.set(kind, (counts.get(kind) ?? 0) + activity.flow.packets);
  }
  return Object.fromEntries(counts);
}

function keyNotes(gathered: Gathered): string[] {
  const encrypted = gathered.activities.some(({ connection }) => connection.scheme === 'https');
  return gathered.keyLog.connections > 0 && encrypted && !keysMatch(gathered)
    ? ['The key log has no keys for any connection of the capture: it was read without keys.']
    : [];
}

/** Whether the key log knows any of the connections. */
function keysMatch({ keyLog, activities }: Gathered): boolean {
  return activities.some(({ connection: { keyed, scheme, handshake } }) => {
    const keyRandom = handshake?.keyRandom ?? null;
    return (keyed && scheme === 'https') || (keyRandom !== null && keyLog.has(keyRandom));
  });
}

function connectionNotes(connections: readonly LoadedConnection[], gathered: Gathered): string[] {
  const matches = keysMatch(gathered);
  return connections.flatMap(({ activity: { connection, flow } }) =>
    // Without any key log it goes without saying that there are no keys, and of another's it was said.
    connection.keyed || matches ? connection.notes.map((note) => `Flow ${flow.id}: ${note}`) : [],
  );
}
