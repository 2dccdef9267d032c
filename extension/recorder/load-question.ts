import type { NoTimeReason } from '../../shared/record/observed-time.ts';
import type { ObservedRequest, Observation } from '../../shared/record/observation.ts';
import { mostServers } from '../../shared/messages/host-protocol.ts';
import type { SeenAddress } from './observation-of.ts';

/** What the host is asked about a page load. */
export interface LoadQuestion {
  /** When the navigation began and the load event ended, ms since the epoch. */
  fromMs: number;
  toMs: number;
  servers: { address: string; port: number }[];
}

/** The clocks of a page and of the browser differ by so much at most, but for what {@link loadQuestion} makes up for. */
const clockSlackMs = 50;

/** Another tab's requests so long before a load may still be answered in it. */
const beforeMs = 500;

/**
 * Whom the host must watch for to tell a load's Time on Wire, or why it could not. Its servers are all that answered
 * the page's tab, or its service worker, since the load began, frames and redirects included.
 *
 * @param seen in the page's tab and, where it came by way of one ({@link cameByWorker}), by its service worker
 * @param seesAll the browser tells of requests to every host: one without an address was never made
 */
export function loadQuestion(
  { loadEventMs, document, requests }: Observation,
  fromMs: number,
  seen: readonly SeenAddress[],
  seesAll: boolean,
): LoadQuestion | NoTimeReason {
  const ofLoad = seen.filter(({ atMs }) => atMs >= fromMs - clockSlackMs);
  const known = new Set(ofLoad.map(({ origin }) => origin));
  const unknown = (document ? [document, ...requests] : requests).filter(
    ({ url }) => !known.has(URL.parse(url)?.origin ?? ''),
  );
  const urls = ofLoad.map(({ origin }) => new URL(origin));
  if (urls.some(({ protocol }) => protocol !== 'https:')) return 'in-the-clear';
  if (unknown.some(({ source }) => cameByNetwork(source) || (source === 'hidden' && !seesAll))) {
    return 'no-addresses';
  }
  if (loadEventMs === null || urls.length === 0) return 'no-packets';
  const servers = ofLoad.map(({ address, origin }) => ({
    address: bare(address),
    port: Number(new URL(origin).port || 443),
  }));
  return { fromMs, toMs: fromMs + loadEventMs, servers: distinct(servers).slice(0, mostServers) };
}

/**
 * Whether a service worker answered some of a page's requests, which it may have asked any server for. Firefox tells
 * of such requests as if they came from the cache.
 *
 * @param fromMs when the load began, ms since the epoch
 * @param asked seen by the workers of the page's origin
 */
export function cameByWorker(
  { document, requests }: Pick<Observation, 'document' | 'requests'>,
  fromMs: number,
  asked: readonly SeenAddress[],
): boolean {
  const sources = new Set([document, ...requests].map((request) => request?.source));
  const hasAsked = asked.some(({ atMs }) => atMs >= fromMs - clockSlackMs);
  return sources.has('service-worker') || (sources.has('cache') && hasAsked);
}

/**
 * Why packets with a load's servers may not be its own, by what the browser saw; null where it saw nothing else.
 * Other programs and private windows are not seen: nothing but addresses, ports and times tells packets apart, since a
 * browser tells an extension no client port.
 *
 * @param untilMs when the load's window closed, ms since the epoch
 * @param inTab seen in the page's tab
 * @param inOthers seen in all other tabs
 */
export function sharedWith(
  { fromMs, toMs, servers }: LoadQuestion,
  untilMs: number,
  inTab: readonly SeenAddress[],
  inOthers: readonly SeenAddress[],
): 'left' | 'shared' | null {
  if (inTab.some(({ isDocument, atMs }) => isDocument && atMs > toMs && atMs <= untilMs)) return 'left';
  const addresses = new Set(servers.map(({ address }) => address));
  const isShared = inOthers.some(
    ({ address, atMs }) => atMs >= fromMs - beforeMs && addresses.has(bare(address)),
  );
  return isShared ? 'shared' : null;
}

/**
 * When a load began by the clock that packets are timed by. The page's own is finer, where the two agree.
 * @param timeOriginMs by the page's clock, ms since the epoch
 * @param wallOriginMs by the clock on the wall
 */
export function beganAtMs({
  timeOriginMs,
  wallOriginMs,
}: {
  timeOriginMs: number;
  wallOriginMs: number;
}): number {
  return Math.abs(timeOriginMs - wallOriginMs) < clockSlackMs ? timeOriginMs : wallOriginMs;
}

function cameByNetwork(source: ObservedRequest['source']): boolean {
  return source === 'network' || source === 'revalidated';
}

/** Browsers differ in whether IPv6 addresses have brackets. */
function bare(address: string): string {
  return address.replace(/^\[(.*)\]$/, '$1');
}

function distinct(servers: LoadQuestion['servers']): LoadQuestion['servers'] {
  return [...new Map(servers.map((server) => [`${server.address} ${server.port}`, server])).values()];
}
