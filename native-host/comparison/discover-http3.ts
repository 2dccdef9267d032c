import type { Http3Discovery } from '../../shared/record/record.ts';
import { offersHttp3 } from '../../shared/arms/offers-http3.ts';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { httpsRecordAlpn } from './https-record.ts';
import type { TrialObservation } from './trial-observation.ts';

/** Loads the page once, unrecorded, and asks the resolver, to find the origins that offer HTTP/3. */
export async function discoverHttp3(scout: {
  scout(arm: 'auto'): Promise<TrialObservation>;
}): Promise<Http3Discovery> {
  const first = await scout.scout('auto');
  if (first.error) throw TowlineError.fromReport(first.error);
  const hosts = [...new Set(first.resources.map(({ url }) => new URL(url).hostname))];
  const alpn = await Promise.all(hosts.map(async (host) => [host, await httpsRecordAlpn(host)] as const));
  return http3OriginsOf(first, new Map(alpn));
}

/** `host:port` of an https address, as Chromium's flag and the record name origins. */
export function hostAndPort(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port === '' ? '443' : port}`;
}

/**
 * Which of a page's origins can be sent to over HTTP/3 at once, from an unrecorded first load. Forcing the
 * page's host alone would leave third parties on HTTP/2, so every origin that offers it is found. Pure.
 *
 * @param first what the first load, with the browser's own choice of protocol, showed
 * @param alpnByHost ALPN ids of each host's HTTPS record, by host name; port 443 only
 */
export function http3OriginsOf(
  first: Pick<TrialObservation, 'resources' | 'altSvc'>,
  alpnByHost: ReadonlyMap<string, readonly string[]>,
): Http3Discovery {
  const urls = first.resources.map(({ url }) => new URL(url)).filter(({ protocol }) => protocol === 'https:');
  const byOrigin = new Map(urls.map((url) => [url.origin, url]));
  const origins: Http3Discovery['origins'] = [];
  for (const [origin, { href, hostname, port }] of byOrigin) {
    const named = hostAndPort(href);
    const altSvc = first.altSvc[origin];
    if (altSvc !== undefined && offersHttp3({ hostname, port }, altSvc))
      origins.push({ origin: named, found: 'alt-svc' });
    else if (port === '' && alpnByHost.get(hostname)?.includes('h3') === true) {
      origins.push({ origin: named, found: 'https-record' });
    }
  }
  const detail =
    origins.length === 0
      ? `None of the page's ${byOrigin.size} https origins offered HTTP/3 on its own port, by Alt-Svc header or HTTPS record.`
      : `${origins.length} of the page's ${byOrigin.size} https origins offered HTTP/3 in a first, unrecorded load.`;
  return { origins, detail };
}
