import type { Certificates } from './certificates.ts';

/** One server of a site, by the name and port that browsers ask for. */
export interface ServedName {
  name: string;
  port: number;
  /** Every address to listen on, each by itself: a QUIC server bound to all answers from the wrong one. */
  addresses: readonly string[];
}

/** What is served, and where. */
export interface Site {
  servers: readonly ServedName[];
  /** For all names. */
  certificates: Pick<Certificates, 'certificatePath' | 'keyPath'>;
  /** Directory of the files; all servers have the same. */
  root: string;
}

/** The headers that every server adds to its answers, so that each load is one and measures alike. */
export function addedHeaders({ servers }: Site): Record<string, string> {
  return {
    'Cache-Control': 'no-store',
    // Or the page would not be told the sizes and protocols of what came from its other servers.
    ...(servers.length > 1 ? { 'Timing-Allow-Origin': '*' } : {}),
  };
}

/** Headers that only caches need, and which HTTP/1.1 would send in full each time. */
export const droppedHeaders = ['Etag', 'Last-Modified', 'Accept-Ranges'] as const;
