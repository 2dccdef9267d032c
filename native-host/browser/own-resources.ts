import type { OwnRequest } from '../../shared/messages/own-browser.ts';
import type { Resource } from '../../shared/record/trial.ts';
import { phasesOfMarks } from './firefox-resources.ts';

/**
 * The page's requests, in the order they started, as the person's own Firefox told of them. Pure.
 * @param timeOriginEpochMs Navigation Timing's time origin: `startedAtMs` counts from it
 */
export function ownResources(requests: readonly OwnRequest[], timeOriginEpochMs: number): Resource[] {
  return requests
    .map((request) => resourceOf(request, timeOriginEpochMs))
    .sort((a, b) => a.startedAtMs - b.startedAtMs);
}

function resourceOf(request: OwnRequest, timeOriginEpochMs: number): Resource {
  const { url, type, protocol, status, transferBytes, bodyBytes, serverAddress, fromCache, failure } =
    request;
  const { askedAt, dnsStart, dnsEnd, connectStart, connectEnd, tlsStart, endedAt } = request;
  const marks = {
    requestTime: askedAt,
    dnsStart: dnsStart ?? 0,
    dnsEnd: dnsEnd ?? 0,
    connectStart: connectStart ?? 0,
    connectEnd: connectEnd ?? 0,
    tlsStart: tlsStart ?? 0,
    tlsEnd: connectEnd ?? 0,
    requestStart: request.requestStart ?? 0,
    responseStart: request.responseStart ?? 0,
    responseEnd: endedAt ?? 0,
  };
  const { localPort } = request;
  return {
    ...{ url, type, protocol: protocol === '' ? null : protocol, status },
    startedAtMs: askedAt - timeOriginEpochMs,
    endedAtMs: endedAt === null ? null : endedAt - timeOriginEpochMs,
    phases: phasesOfMarks(marks, endedAt),
    ...{ transferBytes, bodyBytes, serverAddress },
    // One end of a connection names it as well as any number would.
    connectionId: localPort === null ? null : String(localPort),
    ...{ fromCache, failure },
  };
}
