import type { PageObserved } from '../../shared/messages/recorder-messages.ts';
import type { Observation } from '../../shared/record/observation.ts';
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
 * What is known of a page after one more message of its recorder.
 * @param before what had been stored; null at first
 * @param seen addresses seen in the page's tab, and by workers of its origin
 * @param isWatched the host watches packets, and will be asked about this page's
 * @returns null when the message goes on from requests that are not stored, since the page was erased meanwhile
 */
export function observationOf(
  message: PageObserved,
  before: Observation | null,
  seen: readonly SeenAddress[],
  isWatched = false,
): Observation | null {
  const { sinceMs, timeOriginMs, kind, document } = message;
  const known = before?.requests ?? [];
  if (message.from > known.length) return null;
  // A message told again may begin with requests that are known by now.
  const requests = [
    ...known,
    ...message.entries.slice(known.length - message.from).map((entry) => readEntry(entry, sinceMs)),
  ];
  const startedAtMs = timeOriginMs + sinceMs;
  const url = withoutSecrets(message.url);
  return {
    id: message.id,
    url,
    queryCut: (URL.parse(message.url)?.search ?? '') !== '',
    startedAt: before?.startedAt ?? new Date(startedAtMs).toISOString(),
    kind: kind === 'navigate' ? 'load' : kind === 'back_forward' ? 'back-forward' : kind,
    document: document && { ...readEntry(document, sinceMs), initiator: 'navigation', url },
    domContentLoadedMs: message.domContentLoadedEventEnd || null,
    loadEventMs: message.loadEventEnd || null,
    shownMs: kind === 'prerender' ? message.activationStart : null,
    requests,
    truncated: message.truncated,
    servers: serversOf([url, ...requests.map((request) => request.url)], before, seen, startedAtMs),
    ...wireOf(before, isWatched && kind !== 'bfcache'),
  };
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
  const origins = new Set(urls.map((url) => URL.parse(url)?.origin ?? ''));
  const servers = new Map(before?.servers.map(({ origin, addresses }) => [origin, new Set(addresses)]));
  for (const { origin, address, atMs } of seen) {
    if (atMs < sinceMs || !origins.has(origin)) continue;
    const addresses = servers.get(origin) ?? new Set();
    servers.set(origin, addresses.add(address));
  }
  return [...servers].map(([origin, addresses]) => ({ origin, addresses: [...addresses] }));
}
