import type { Activity } from './connection.ts';
import type { HttpExchange } from './http/http-exchange.ts';
import { exactly, firstOf, lastOf, type Estimate } from './keyless/estimate.ts';
import type { Page } from './page.ts';

/** What one connection did during one page load, and what of it is the page's. */
export interface LoadedConnection {
  readonly activity: Activity;
  /** Its requests that began during the load. */
  readonly exchanges: readonly HttpExchange[];
  readonly pageExchanges: ReadonlySet<HttpExchange>;
  /** First request and last response of the page on it; null when it carries no request of the page. */
  readonly page: PageFigures | null;
}

/** First request and last response of the page on one connection. */
export interface PageFigures {
  readonly firstRequest: Estimate;
  readonly lastResponse: Estimate | null;
  /** All of it was read with keys: the figures are exact. */
  readonly whole: boolean;
}

/** Times of one page load, ms since 1970: requests that began in them belong to it. */
export interface LoadTimes {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Tells which connections carried the page. Spare connections, which carry no request, never do. Where keys
 * open some connections, those they do not open are another program's: a browser logs all of its keys.
 */
export function loadConnections(
  activities: readonly Activity[],
  { fromMs, toMs }: LoadTimes,
  page: Page,
): LoadedConnection[] {
  const keysMatch = activities.some(({ connection }) => connection.scheme === 'https' && connection.keyed);
  return activities.map((activity) => {
    const { scheme, handshake, exchanges, keyed } = activity.connection;
    const sni = handshake?.sni ?? null;
    const during = exchanges.filter(
      ({ requestFirstAtMs: atMs }) => atMs === null || (atMs >= fromMs && atMs < toMs),
    );
    const pageExchanges = during.filter((exchange) => page.hasRequest(exchange, scheme, sni));
    return {
      activity,
      exchanges: during,
      pageExchanges: new Set(pageExchanges),
      page: keyed
        ? keyedFigures(pageExchanges, activity)
        : keysMatch || !page.hasConnection(sni, activity.flow.client.port)
          ? null
          : keylessFigures(activity),
    };
  });
}

/**
 * Where a response could not be read to its end (the capture lacks packets, or ended), the connection's last
 * response is told by the rules without keys, and lies nowhere before what was read.
 */
function keyedFigures(exchanges: readonly HttpExchange[], activity: Activity): PageFigures | null {
  const firstRequest = firstOf(exchanges.flatMap((e) => moment(e.requestLastAtMs)));
  const read = lastOf(exchanges.flatMap((e) => moment(e.responseLastAtMs)));
  const whole = exchanges.every((e) => e.complete || e.reset);
  const unread = whole ? [] : (activity.lastResponse ?? []);
  const lastResponse = lastOf([read ?? [], unread].flat());
  return firstRequest && { firstRequest, lastResponse, whole };
}

function keylessFigures({ firstRequest, lastResponse }: Activity): PageFigures | null {
  return firstRequest && lastResponse && { firstRequest, lastResponse, whole: false };
}

function moment(atMs: number | null): Estimate[] {
  return atMs === null ? [] : [exactly(atMs)];
}
