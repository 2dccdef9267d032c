import type { Phases, Resource } from '../../shared/record/trial.ts';
import type { BidiExchange, BidiRequest, BidiTimings } from './bidi-network-log.ts';

/**
 * The page's requests, in the order they started, from Firefox's account. Pure.
 *
 * Firefox names neither the server's address nor the connection of a request: those are null here, and known
 * from the packets.
 *
 * @param timeOriginEpochMs Navigation Timing's time origin: `startedAtMs` counts from it
 */
export function firefoxResources(exchanges: readonly BidiExchange[], timeOriginEpochMs: number): Resource[] {
  return exchanges
    .map((exchange) => resourceOf(exchange, timeOriginEpochMs))
    .sort((a, b) => a.startedAtMs - b.startedAtMs);
}

function resourceOf(exchange: BidiExchange, timeOriginEpochMs: number): Resource {
  const { request, response, failure } = exchange;
  const endedAtEpochMs = endOf(exchange);
  return {
    url: request.url,
    type: resourceType(request),
    protocol: response === null || response.protocol === '' ? null : response.protocol,
    status: response?.status ?? null,
    startedAtMs: request.timings.requestTime - timeOriginEpochMs,
    endedAtMs: endedAtEpochMs === null ? null : endedAtEpochMs - timeOriginEpochMs,
    phases: firefoxPhases(exchange),
    transferBytes: response === null || failure !== null ? null : Math.max(0, response.bytesReceived),
    bodyBytes: response?.bodySize ?? null,
    serverAddress: null,
    connectionId: null,
    fromCache: response?.fromCache ?? false,
    failure: failureOf(exchange),
  };
}

/** The last byte, where the browser tells it; the end's own event comes some ms later. */
function endOf({ request, response, endedAtEpochMs, failure }: BidiExchange): number | null {
  if (endedAtEpochMs === null) return null;
  const { responseEnd, requestTime } = request.timings;
  return failure === null && response !== null && responseEnd >= requestTime ? responseEnd : endedAtEpochMs;
}

/** What the page or the browser itself broke off: it is no fault of the network. */
const cancelled = 'NS_BINDING_ABORTED';

function failureOf({ failure }: BidiExchange): string | null {
  return failure === cancelled ? `aborted (${failure})` : failure;
}

/** Fetch's destinations, and where they are empty the initiators, as Chromium's resource types. */
const types: Readonly<Record<string, string>> = {
  iframe: 'document',
  frame: 'document',
  style: 'stylesheet',
  audio: 'media',
  video: 'media',
  track: 'media',
  xmlhttprequest: 'xhr',
  fetch: 'fetch',
  beacon: 'ping',
};

function resourceType({ destination, initiatorType }: BidiRequest): string {
  const name = destination === '' ? (initiatorType ?? 'other') : destination;
  return types[name] ?? name;
}

/** How long a request spent in each phase, from the marks that Firefox sets; 0 is a mark it did not reach. */
export function firefoxPhases(exchange: BidiExchange): Phases {
  return phasesOfMarks(exchange.request.timings, endOf(exchange));
}

/** The same from the marks and the end alone, ms since 1970. */
export function phasesOfMarks(t: BidiTimings, endedAtEpochMs: number | null): Phases {
  const between = (start: number, end: number): number | null =>
    start > 0 && end >= start ? end - start : null;
  // On QUIC the cryptographic handshake is the connection's own: Firefox repeats the same two marks for it.
  const separateTls = t.tlsStart > t.connectStart && t.connectStart > 0;
  const firstMark = [t.dnsStart, t.connectStart, t.requestStart].find((mark) => mark > 0) ?? 0;
  return {
    blockedMs: between(t.requestTime, firstMark),
    dnsMs: between(t.dnsStart, t.dnsEnd),
    connectMs: between(t.connectStart, separateTls ? t.tlsStart : t.connectEnd),
    tlsMs: separateTls ? between(t.tlsStart, t.tlsEnd) : null,
    // Firefox has no mark for the end of sending.
    sendMs: null,
    waitMs: between(t.requestStart, t.responseStart),
    receiveMs: endedAtEpochMs === null ? null : between(t.responseStart, endedAtEpochMs),
  };
}
