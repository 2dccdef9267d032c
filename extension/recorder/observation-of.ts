import { requestsKept } from '../../shared/messages/requests-kept.ts';
import type { Observation, ObservedRequest } from '../../shared/record/observation.ts';
import type { PageObserved } from './page-visit.ts';
import { readEntry, withoutSecrets } from './read-entry.ts';

/** An address of a server, as webRequest saw it. */
export interface SeenAddress {
  origin: string;
  address: string;
  /** When it last answered, ms since the epoch. */
  atMs: number;
  /** It last answered with a document of the tab itself. */
  isDocument?: boolean | undefined;
}

/**
 * What is known of a page after one more reading of it.
 * @param before what had been stored; null at first
 * @param seen addresses seen in the page's tab, and by workers of its origin
 * @param isWatched the host watches packets, and will be asked about this page's
 * @returns null when the page goes on from what is not stored, since it was erased meanwhile, and when it says that it
 * is what another site's page is stored as
 */
export function observationOf(
  page: PageObserved,
  before: Observation | null,
  seen: readonly SeenAddress[],
  isWatched = false,
): Observation | null {
  const { sinceMs, timeOriginMs, kind, document } = page;
  const url = withoutSecrets(page.url);
  if (before ? originOf(before.url) !== originOf(url) : page.goesOn) return null;
  const told = page.requests.map((entry) => readEntry(entry, sinceMs));
  const requests = [...(before?.requests ?? []), ...newOf(told, before?.requests ?? [])];
  const startedAtMs = timeOriginMs + sinceMs;
  return {
    id: page.id,
    // A page may change its address as it goes on: what was loaded is the first.
    url: before?.url ?? url,
    queryCut: before?.queryCut ?? (URL.parse(page.url)?.search ?? '') !== '',
    startedAt: before?.startedAt ?? new Date(startedAtMs).toISOString(),
    kind: kind === 'navigate' ? 'load' : kind === 'back_forward' ? 'back-forward' : kind,
    document: document && {
      ...readEntry(document, sinceMs),
      initiator: 'navigation',
      url: before?.url ?? url,
    },
    domContentLoadedMs: page.domContentLoadedEventEnd || null,
    loadEventMs: page.loadEventEnd || null,
    shownMs: kind === 'prerender' ? page.activationStart : null,
    requests: requests.slice(0, requestsKept),
    truncated: before?.truncated === true || requests.length >= requestsKept,
    servers: serversOf([url, ...requests.map((request) => request.url)], before, seen, startedAtMs),
    ...wireOf(before, isWatched && kind !== 'bfcache'),
  };
}

/**
 * Of the requests that are told of, those that are not known. A reading may tell again what an earlier one has told;
 * two requests of the same address and times are two.
 */
function newOf(told: readonly ObservedRequest[], known: readonly ObservedRequest[]): ObservedRequest[] {
  const left = new Map<string, number>();
  for (const request of known) left.set(keyOf(request), (left.get(keyOf(request)) ?? 0) + 1);
  return told.filter((request) => {
    const count = left.get(keyOf(request)) ?? 0;
    left.set(keyOf(request), count - 1);
    return count <= 0;
  });
}

function keyOf({ url, startMs, endMs }: ObservedRequest): string {
  return `${startMs} ${endMs} ${url}`;
}

function originOf(url: string): string | undefined {
  return URL.parse(url)?.origin;
}

/** Until the host has answered, that it has not. */
function wireOf(before: Observation | null, isWatched: boolean): Pick<Observation, 'wire'> {
  if (before?.wire) return { wire: before.wire };
  return isWatched ? { wire: { missing: 'unanswered', detail: null } } : {};
}

function serversOf(
  urls: readonly string[],
  before: Observation | null,
  seen: readonly SeenAddress[],
  sinceMs: number,
): Observation['servers'] {
  const origins = new Set(urls.map((url) => originOf(url) ?? ''));
  const servers = new Map(before?.servers.map(({ origin, addresses }) => [origin, new Set(addresses)]));
  for (const { origin, address, atMs } of seen) {
    if (atMs < sinceMs || !origins.has(origin)) continue;
    const addresses = servers.get(origin) ?? new Set();
    servers.set(origin, addresses.add(address));
  }
  return [...servers].map(([origin, addresses]) => ({ origin, addresses: [...addresses] }));
}
