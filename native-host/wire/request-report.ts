import type { WireRequest } from '../../shared/record/wire.ts';
import type { Activity } from './connection.ts';
import type { LoadedConnection } from './page-load.ts';
import type { Page } from './page.ts';
import { roundedMs } from './rounded-ms.ts';
import { waitsOf } from './waits.ts';

/** Every request that could be read, the page's and others, by time. @param epochMs what times count from */
export function requestReports(
  connections: readonly LoadedConnection[],
  page: Page,
  epochMs: number,
): { reports: WireRequest[]; notes: string[] } {
  const reports = connections.flatMap((connection) => reportsOf(connection, page, epochMs));
  const all = connections.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  return {
    reports: reports.sort(inOrder),
    notes:
      all === reports.length
        ? []
        : [`${all - reports.length} responses whose requests are not in the capture are left out.`],
  };
}

/** By time; requests in one packet as they were sent, whenever their keys came. */
function inOrder(a: WireRequest, b: WireRequest): number {
  return a.requestFirstAtMs - b.requestFirstAtMs || a.flowId - b.flowId || a.streamId - b.streamId;
}

function reportsOf(
  { activity, exchanges, pageExchanges }: LoadedConnection,
  page: Page,
  epochMs: number,
): WireRequest[] {
  const { connection, flow } = activity;
  const since = (atMs: number): number => roundedMs(atMs - epochMs);
  const sinceOrNull = (atMs: number | null): number | null => (atMs === null ? null : since(atMs));
  const waits = waitsOf(
    {
      openedAtMs: connection.openedAtMs,
      readyAtMs: connection.readyAtMs,
      rttMs: leastRttMs(activity),
      oneAtATime: connection.protocol === 'h1',
      holesPerStream: connection.transport === 'quic',
    },
    exchanges.map((exchange) => ({ exchange, wantedAtMs: page.wantedAtMs(exchange, connection.scheme) })),
  );
  return exchanges.flatMap((exchange) => {
    const { requestFirstAtMs, requestLastAtMs } = exchange;
    const exchangeWaits = waits.get(exchange);
    if (requestFirstAtMs === null || requestLastAtMs === null || exchangeWaits === undefined) return [];
    return {
      flowId: flow.id,
      streamId: exchange.streamId,
      method: exchange.method,
      authority: exchange.authority,
      path: exchange.path,
      status: exchange.status,
      requestFirstAtMs: since(requestFirstAtMs),
      requestLastAtMs: since(requestLastAtMs),
      responseFirstAtMs: sinceOrNull(exchange.responseFirstAtMs),
      responseLastAtMs: sinceOrNull(exchange.responseLastAtMs),
      requestBytes: exchange.requestBytes,
      responseBytes: exchange.responseBytes,
      complete: exchange.complete,
      page: pageExchanges.has(exchange),
      waits: exchangeWaits,
    };
  });
}

/** The least round trip seen: the handshake's, or a quicker one of its ACKs. */
function leastRttMs({ connection: { handshakeRttMs }, roundTrips }: Activity): number | null {
  const acknowledgedMs = roundTrips.series?.minMs ?? null;
  if (handshakeRttMs === null || acknowledgedMs === null) return handshakeRttMs ?? acknowledgedMs;
  return Math.min(handshakeRttMs, acknowledgedMs);
}
