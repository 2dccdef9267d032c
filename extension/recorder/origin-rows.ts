import type { ObservedRequest } from '../../shared/record/observation.ts';

/** One line of the table "origins x protocols" of a page. */
export interface OriginRow {
  /** `https://example.org`; the bare scheme for what has no origin. */
  origin: string;
  /** The same for all requests of the line. */
  protocol: string | null;
  /** Why {@link protocol} is null; null when it is not. */
  reason: Exclude<ObservedRequest['source'], 'network' | 'revalidated'> | 'untold' | null;
  requests: number;
  /** Sum of what is known; null when nothing is. */
  transferBytes: number | null;
  /** Connections opened for requests of this line; null when the browser tells of none of them. */
  connections: number | null;
}

/** Requests by origin and protocol: the document's origin first, then by number of requests. */
export function originRows(
  document: ObservedRequest | null,
  requests: readonly ObservedRequest[],
): OriginRow[] {
  const rows = new Map<string, OriginRow>();
  for (const request of document ? [document, ...requests] : requests) {
    const origin = originOf(request.url);
    const reason = reasonOf(request);
    const key = `${origin} ${request.protocol ?? ''} ${reason ?? ''}`;
    const row = rows.get(key) ?? {
      origin,
      protocol: request.protocol,
      reason,
      requests: 0,
      transferBytes: null,
      connections: null,
    };
    rows.set(key, {
      ...row,
      requests: row.requests + 1,
      transferBytes: sum(row.transferBytes, request.transferBytes),
      connections: sum(
        row.connections,
        request.newConnection === null ? null : Number(request.newConnection),
      ),
    });
  }
  const own = document && originOf(document.url);
  const total = new Map<string, number>();
  for (const { origin, requests: count } of rows.values()) {
    total.set(origin, (total.get(origin) ?? 0) + count);
  }
  const rank = ({ origin }: OriginRow): number => (origin === own ? Infinity : (total.get(origin) ?? 0));
  return [...rows.values()].sort(
    (a, b) => compare(rank(b), rank(a)) || a.origin.localeCompare(b.origin) || b.requests - a.requests,
  );
}

/** The origin of an http address; the bare scheme (`data:`) of any other. */
function originOf(address: string): string {
  const url = URL.parse(address);
  if (!url) return address;
  return url.origin === 'null' ? url.protocol : url.origin;
}

function reasonOf({ protocol, source }: ObservedRequest): OriginRow['reason'] {
  if (protocol !== null) return null;
  return source === 'network' || source === 'revalidated' ? 'untold' : source;
}

function sum(known: number | null, more: number | null): number | null {
  return more === null ? known : (known ?? 0) + more;
}

/** Also for infinities, whose difference is not a number. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
