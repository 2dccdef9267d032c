import { expect } from 'vitest';
import type { Observation, ObservedRequest } from '../../shared/record/observation.ts';
import type { ThreeOrigins } from '../support/three-origins.ts';

export function requestsOf({ requests }: Observation, origin: string): ObservedRequest[] {
  return requests.filter(({ url }) => url.startsWith(`${origin}/`));
}

/** The recorder saw what the three servers were asked, each once, and the protocol where the browser tells it. */
export function expectRequestsOfServers(
  seen: Observation,
  { url: page, own, open, hidden }: ThreeOrigins,
): void {
  for (const log of [own, open, hidden]) {
    const paths = requestsOf(seen, log.origin).map(({ url }) => new URL(url).pathname);
    expect(paths.sort()).toEqual(log.paths.filter((path) => path !== '/page').sort());
  }
  expect(seen).toMatchObject({ url: page, kind: 'load', truncated: false });
  expect(seen.document).toMatchObject({ protocol: 'h2', source: 'network', status: 200 });
  const protocols = (origin: string) => new Set(requestsOf(seen, origin).map(({ protocol }) => protocol));
  expect(protocols(own.origin)).toEqual(new Set(['h2']));
  expect(protocols(open.origin)).toEqual(new Set(['http/1.1']));
  // Not even by a guess.
  expect(protocols(hidden.origin)).toEqual(new Set([null]));
}
