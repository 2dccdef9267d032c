import type { Waits } from '../../shared/record/wire.ts';
import type { HttpExchange, ResponseSegment } from './http/http-exchange.ts';
import { Intervals } from './intervals.ts';

/**
 * A pause on a connection longer than this share of its round trip is the server's, not a queue's: a sender
 * that has data to send leaves no longer pause.
 */
const busyShare = 0.25;
/** The same on paths so quick that a scheduler's pauses count. */
const leastBusyMs = 2;

/** One request of a connection, with what the waits need besides the exchange. */
export interface WaitingRequest {
  readonly exchange: HttpExchange;
  /** When the browser wanted it, ms since 1970; null when it did not say. */
  readonly wantedAtMs: number | null;
}

/** What the waits need of a connection. Times are ms since 1970. */
export interface WaitingConnection {
  /** The client's first packet. */
  readonly openedAtMs: number;
  /** When a request could be sent. */
  readonly readyAtMs: number | null;
  /** The least round trip seen. */
  readonly rttMs: number | null;
  /** One request at a time (HTTP/1.1). */
  readonly oneAtATime: boolean;
  /** A hole holds up only its own stream (QUIC), not the whole connection (TCP). */
  readonly holesPerStream: boolean;
}

interface Arrival extends ResponseSegment {
  readonly exchange: HttpExchange;
}

/**
 * Why each request of a connection waited, as six parts that never overlap:
 *
 * - (a) `connectionMs`, for a connection: from when the browser wanted the request until its connection was
 *   ready and, on HTTP/1.1, free of the request before. Where the browser does not say when it wanted it: the
 *   connection's whole handshake, for the requests of its first flight (those sent before any response had
 *   begun); 0 for later ones.
 * - (b) `browserMs`, in the browser: from when the connection was ready (and wanted) to the request's first
 *   packet. Where the browser does not say, it is known for the first flight, and on HTTP/1.1 as the time the
 *   connection lay idle before the request, an upper bound; else null.
 * - (c) `serverMs`, for the server: from one round trip after the request's last packet to the response's
 *   first packet, less what of it is (d) or (e).
 * - (d) `behindStreamsMs`, behind other streams: while the response was due or under way, the time the
 *   connection spent on bytes of other responses: every pause between two arrivals goes to the stream that
 *   the later one belongs to, if it is no longer than a quarter of a round trip (at least 2 ms).
 * - (e) `otherLossMs`: while bytes of the response had arrived but could not be read, since a packet of
 *   another stream was missing (TCP head-of-line blocking).
 * - (e) `ownLossMs`: the same, the missing packet being of its own stream.
 *
 * A part is null where its beginning or end was not seen.
 */
export function waitsOf(
  connection: WaitingConnection,
  requests: readonly WaitingRequest[],
): Map<HttpExchange, Waits> {
  const arrivals: Arrival[] = requests
    .flatMap(({ exchange }) => exchange.segments.map((segment) => ({ ...segment, exchange })))
    .sort((a, b) => a.arrivedAtMs - b.arrivedAtMs);
  const firstResponseAtMs = Math.min(
    ...requests.map(({ exchange }) => exchange.responseFirstAtMs ?? Infinity),
  );
  const losses = lossesOf(arrivals, connection.holesPerStream);
  const busy = busyTimes(arrivals, connection.rttMs);

  const waits = new Map<HttpExchange, Waits>();
  let previous: HttpExchange | null = null;
  for (const { exchange, wantedAtMs } of requests) {
    const before = beforeSending(connection, exchange, wantedAtMs, previous, firstResponseAtMs);
    const after = afterSending(connection, exchange, losses, busy);
    waits.set(exchange, { ...before, ...after });
    previous = exchange;
  }
  return waits;
}

function beforeSending(
  connection: WaitingConnection,
  exchange: HttpExchange,
  wantedAtMs: number | null,
  previous: HttpExchange | null,
  firstResponseAtMs: number,
): Pick<Waits, 'connectionMs' | 'browserMs'> {
  const { openedAtMs, readyAtMs } = connection;
  const sentAtMs = exchange.requestFirstAtMs;
  if (sentAtMs === null || readyAtMs === null) return { connectionMs: null, browserMs: null };
  const freeAtMs =
    connection.oneAtATime && previous !== null
      ? Math.max(readyAtMs, previous.responseLastAtMs ?? readyAtMs)
      : readyAtMs;

  if (wantedAtMs !== null) {
    const canBeSentAtMs = clamp(freeAtMs, wantedAtMs, sentAtMs);
    return {
      connectionMs: Math.max(0, canBeSentAtMs - wantedAtMs),
      browserMs: Math.max(0, sentAtMs - Math.max(canBeSentAtMs, wantedAtMs)),
    };
  }
  const firstFlight = sentAtMs <= firstResponseAtMs;
  if (firstFlight) {
    // With 0-RTT a request is sent before the handshake's end.
    const readyOrSentAtMs = Math.min(readyAtMs, sentAtMs);
    return { connectionMs: readyOrSentAtMs - openedAtMs, browserMs: sentAtMs - readyOrSentAtMs };
  }
  return { connectionMs: 0, browserMs: connection.oneAtATime ? Math.max(0, sentAtMs - freeAtMs) : null };
}

function afterSending(
  connection: WaitingConnection,
  exchange: HttpExchange,
  losses: ReadonlyMap<HttpExchange, LossTimes>,
  busy: readonly BusyTime[],
): Pick<Waits, 'serverMs' | 'behindStreamsMs' | 'otherLossMs' | 'ownLossMs'> {
  const { requestLastAtMs, responseFirstAtMs, responseLastAtMs } = exchange;
  const loss = losses.get(exchange);
  const own = loss?.own ?? new Intervals();
  const other = (loss?.other ?? new Intervals()).without(own);
  const lost = own.with(other);
  const lossParts = { otherLossMs: other.lengthMs, ownLossMs: own.lengthMs };
  if (responseFirstAtMs === null || responseLastAtMs === null || requestLastAtMs === null) {
    return { serverMs: null, behindStreamsMs: null, otherLossMs: null, ownLossMs: null };
  }
  if (connection.rttMs === null) return { serverMs: null, behindStreamsMs: null, ...lossParts };

  const dueAtMs = Math.min(requestLastAtMs + connection.rttMs, responseFirstAtMs);
  const behind = new Intervals();
  for (const time of busyWithin(busy, dueAtMs, responseLastAtMs)) {
    if (time.exchange !== exchange) {
      behind.add(Math.max(time.fromMs, dueAtMs), Math.min(time.toMs, responseLastAtMs));
    }
  }
  const behindStreams = behind.without(lost);
  const server = new Intervals();
  server.add(dueAtMs, responseFirstAtMs);
  return {
    serverMs: server.without(lost.with(behindStreams)).lengthMs,
    behindStreamsMs: behindStreams.lengthMs,
    ...lossParts,
  };
}

interface BusyTime {
  readonly fromMs: number;
  readonly toMs: number;
  readonly exchange: HttpExchange;
}

/** The pauses between arrivals, each with the response that its end belongs to, in order. */
function busyTimes(arrivals: readonly Arrival[], rttMs: number | null): BusyTime[] {
  const longestMs = Math.max(leastBusyMs, busyShare * (rttMs ?? 0));
  const times: BusyTime[] = [];
  for (const [i, arrival] of arrivals.entries()) {
    const before = arrivals[i - 1];
    if (before === undefined) continue;
    const fromMs = before.arrivedAtMs;
    const toMs = arrival.arrivedAtMs;
    if (toMs > fromMs && toMs - fromMs <= longestMs) times.push({ fromMs, toMs, exchange: arrival.exchange });
  }
  return times;
}

/** Those that touch a window, found by bisection: they are in order. */
function busyWithin(times: readonly BusyTime[], fromMs: number, toMs: number): readonly BusyTime[] {
  const start = firstIndex(times, (time) => time.toMs > fromMs);
  const end = firstIndex(times, (time) => time.fromMs >= toMs);
  return times.slice(start, end);
}

function firstIndex<T>(ordered: readonly T[], reached: (item: T) => boolean): number {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = ordered[middle];
    if (item === undefined || reached(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}

interface LossTimes {
  readonly own: Intervals;
  readonly other: Intervals;
}

/**
 * When bytes of each response were held up. Bytes behind one hole become readable together, at the arrival
 * that fills it: that arrival's stream is the one whose packet was missing.
 */
function lossesOf(arrivals: readonly Arrival[], holesPerStream: boolean): Map<HttpExchange, LossTimes> {
  const holes = new Map<string, Arrival[]>();
  for (const arrival of arrivals) {
    const stream = holesPerStream ? `${arrival.exchange.streamId} ` : '';
    const key = `${stream}${arrival.deliveredAtMs}`;
    const together = holes.get(key);
    if (together === undefined) holes.set(key, [arrival]);
    else together.push(arrival);
  }
  const losses = new Map<HttpExchange, LossTimes>();
  for (const together of holes.values()) {
    const held = together.filter((arrival) => arrival.arrivedAtMs < arrival.deliveredAtMs);
    const [first] = held;
    if (first === undefined) continue;
    const fillers = new Set(together.filter((arrival) => !held.includes(arrival)).map((a) => a.exchange));
    for (const exchange of new Set(together.map((arrival) => arrival.exchange))) {
      const times = losses.get(exchange) ?? { own: new Intervals(), other: new Intervals() };
      losses.set(exchange, times);
      const isOwn = fillers.has(exchange) || holesPerStream;
      // Its own lost packet was due by the first arrival after it; other streams wait from their first byte.
      const from = isOwn ? first : held.find((arrival) => arrival.exchange === exchange);
      if (from !== undefined) (isOwn ? times.own : times.other).add(from.arrivedAtMs, from.deliveredAtMs);
    }
  }
  return losses;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), Math.max(low, high));
}
