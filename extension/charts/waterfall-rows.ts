import type { Phases, Resource, Trial } from '../../shared/record/trial.ts';
import type { WireRequest } from '../../shared/record/wire.ts';
import { phaseOrder } from './names.ts';

/** One request of one trial, as the browser tells it and as the packets show it; ms since navigation start. */
export interface WaterfallRow {
  resource: Resource;
  /** Consecutive phases as [from, to]. */
  phases: { phase: keyof Phases; fromMs: number; toMs: number }[];
  wire: {
    request: WireRequest;
    requestMs: number;
    firstByteMs: number | null;
    lastByteMs: number | null;
  } | null;
}

/** The trial's requests in the order in which they started, each with the wire's request for the same address. */
export function waterfallRows(trial: Trial): WaterfallRow[] {
  const { navigation, wire } = trial;
  const offsetMs =
    navigation && typeof wire?.epochMs === 'number' ? wire.epochMs - navigation.timeOriginEpochMs : null;
  const unmatched = new Map<string, WireRequest[]>();
  for (const request of wire?.requests ?? []) {
    const address = `${request.authority ?? ''}${request.path ?? ''}`;
    unmatched.set(address, [...(unmatched.get(address) ?? []), request]);
  }
  return [...trial.resources]
    .sort((a, b) => a.startedAtMs - b.startedAtMs)
    .map((resource) => {
      const request = unmatched.get(addressOf(resource.url))?.shift();
      return {
        resource,
        phases: layOut(resource),
        wire:
          request && offsetMs !== null
            ? {
                request,
                requestMs: request.requestFirstAtMs + offsetMs,
                firstByteMs: addTo(request.responseFirstAtMs, offsetMs),
                lastByteMs: addTo(request.responseLastAtMs, offsetMs),
              }
            : null,
      };
    });
}

function addressOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.host}${parsed.pathname}${parsed.search}` : url;
}

function addTo(ms: number | null, offsetMs: number): number | null {
  return ms === null ? null : ms + offsetMs;
}

/** Phases follow one another from the request's start; one the request did not go through takes no room. */
function layOut({ startedAtMs, phases }: Resource): WaterfallRow['phases'] {
  let at = startedAtMs;
  return phaseOrder.flatMap((phase) => {
    const durationMs = phases[phase];
    if (durationMs === null || durationMs <= 0) return [];
    const fromMs = at;
    at += durationMs;
    return [{ phase, fromMs, toMs: at }];
  });
}
