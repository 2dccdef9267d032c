import type { Protocol as Cdp } from 'puppeteer-core';
import type { Phases, Resource } from '../../shared/record/trial.ts';
import type { DebuggingEvent } from './network-log.ts';
import { noPhases } from './sum-phases.ts';

interface Open {
  url: string;
  type: string;
  startedAtSeconds: number;
  response: Cdp.Network.Response | null;
  endedAtSeconds: number | null;
  transferBytes: number | null;
  bodyBytes: number;
  fromCache: boolean;
  failure: string | null;
}

/**
 * The page's requests, in the order they started, from the browser's debugging events. Redirects are requests
 * of their own. Pure.
 *
 * @param timeOriginEpochMs Navigation Timing's time origin: `startedAtMs` counts from it
 */
export function resourcesOf(events: readonly DebuggingEvent[], timeOriginEpochMs: number): Resource[] {
  const all: Open[] = [];
  const current = new Map<string, Open>();
  let epochMinusMonotonicSeconds: number | null = null;

  for (const { method, params } of events) {
    switch (method) {
      case 'Network.requestWillBeSent': {
        const event = params as Cdp.Network.RequestWillBeSentEvent;
        epochMinusMonotonicSeconds ??= event.wallTime - event.timestamp;
        const redirected = current.get(event.requestId);
        if (redirected && event.redirectResponse) {
          finish(redirected, event.timestamp, event.redirectResponse.encodedDataLength);
          redirected.response = event.redirectResponse;
        }
        if (!/^https?:/.test(event.request.url)) break;
        const open: Open = {
          url: event.request.url,
          type: (event.type ?? 'Other').toLowerCase(),
          startedAtSeconds: event.timestamp,
          response: null,
          endedAtSeconds: null,
          transferBytes: null,
          bodyBytes: 0,
          fromCache: false,
          failure: null,
        };
        all.push(open);
        current.set(event.requestId, open);
        break;
      }
      case 'Network.requestServedFromCache': {
        const open = current.get((params as Cdp.Network.RequestServedFromCacheEvent).requestId);
        if (open) open.fromCache = true;
        break;
      }
      case 'Network.responseReceived': {
        const event = params as Cdp.Network.ResponseReceivedEvent;
        const open = current.get(event.requestId);
        if (!open) break;
        open.response = event.response;
        if (event.response.fromDiskCache === true || event.response.fromPrefetchCache === true)
          open.fromCache = true;
        break;
      }
      case 'Network.dataReceived': {
        const event = params as Cdp.Network.DataReceivedEvent;
        const open = current.get(event.requestId);
        if (open) open.bodyBytes += event.dataLength;
        break;
      }
      case 'Network.loadingFinished': {
        const event = params as Cdp.Network.LoadingFinishedEvent;
        const open = current.get(event.requestId);
        if (open) finish(open, event.timestamp, event.encodedDataLength);
        break;
      }
      case 'Network.loadingFailed': {
        const event = params as Cdp.Network.LoadingFailedEvent;
        const open = current.get(event.requestId);
        if (!open) break;
        open.endedAtSeconds = event.timestamp;
        open.failure = event.canceled === true ? `aborted (${event.errorText})` : event.errorText;
        break;
      }
    }
  }
  const toMs = (seconds: number): number =>
    (seconds + (epochMinusMonotonicSeconds ?? 0)) * 1000 - timeOriginEpochMs;
  return all.map((open) => resourceOf(open, toMs));
}

function finish(open: Open, atSeconds: number, encodedBytes: number): void {
  open.endedAtSeconds = atSeconds;
  open.transferBytes = Math.max(0, Math.round(encodedBytes));
}

function resourceOf(open: Open, toMs: (seconds: number) => number): Resource {
  const { response } = open;
  return {
    url: open.url,
    type: open.type,
    protocol: response?.protocol ?? null,
    status: response?.status ?? null,
    startedAtMs: toMs(open.startedAtSeconds),
    endedAtMs: open.endedAtSeconds === null ? null : toMs(open.endedAtSeconds),
    phases: phasesOf(open),
    transferBytes: open.transferBytes,
    bodyBytes: response === null ? null : open.bodyBytes,
    serverAddress: response?.remoteIPAddress ?? null,
    connectionId: response === null ? null : String(response.connectionId),
    fromCache: open.fromCache,
    failure: open.failure,
  };
}

/** Chromium's ResourceTiming: ms since `requestTime` (monotonic seconds), -1 for what did not happen. */
function phasesOf({ response, startedAtSeconds, endedAtSeconds }: Open): Phases {
  const timing = response?.timing;
  if (!timing) return noPhases;
  const between = (start: number, end: number): number | null => (start < 0 || end < 0 ? null : end - start);
  const beforeRequestMs = (timing.requestTime - startedAtSeconds) * 1000;
  const firstMark = [timing.dnsStart, timing.connectStart, timing.sendStart].find((mark) => mark >= 0) ?? 0;
  // On QUIC the cryptographic handshake is the connection's own: Chromium repeats the same two marks for it.
  const separateTls = timing.sslStart >= 0 && timing.sslStart > timing.connectStart;
  return {
    blockedMs: Math.max(0, beforeRequestMs + firstMark),
    dnsMs: between(timing.dnsStart, timing.dnsEnd),
    connectMs: between(timing.connectStart, separateTls ? timing.sslStart : timing.connectEnd),
    tlsMs: separateTls ? between(timing.sslStart, timing.sslEnd) : null,
    sendMs: between(timing.sendStart, timing.sendEnd),
    waitMs: between(timing.sendEnd, timing.receiveHeadersEnd),
    receiveMs:
      endedAtSeconds === null || timing.receiveHeadersEnd < 0
        ? null
        : Math.max(0, (endedAtSeconds - timing.requestTime) * 1000 - timing.receiveHeadersEnd),
  };
}
