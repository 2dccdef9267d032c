import type { Entry, Har, Header } from 'har-format';
import type { BidiExchange, BidiHeader } from './bidi-network-log.ts';
import { firefoxPhases } from './firefox-resources.ts';

const pageId = 'page_1';

/** What the HAR tells besides the requests. Marks are null where the browser did not reach them. */
export interface HarPage {
  url: string;
  browserVersion: string;
}

/** The load as HAR 1.2, from Firefox's account. Bodies are not kept. What is not known is -1, as HAR has it. */
export function firefoxHar(exchanges: readonly BidiExchange[], page: HarPage): Har {
  const sorted = exchanges.toSorted((a, b) => a.request.timings.requestTime - b.request.timings.requestTime);
  const startedAtEpochMs = sorted[0]?.request.timings.requestTime ?? 0;
  return {
    log: {
      version: '1.2',
      creator: { name: 'Towline', version: '1' },
      browser: { name: 'Firefox', version: page.browserVersion },
      pages: [{ id: pageId, title: page.url, startedDateTime: isoTime(startedAtEpochMs), pageTimings: {} }],
      entries: sorted.map(entryOf),
    },
  };
}

function entryOf(exchange: BidiExchange): Entry {
  const { request, response, failure } = exchange;
  const { blockedMs, dnsMs, connectMs, tlsMs, sendMs, waitMs, receiveMs } = firefoxPhases(exchange);
  const phases = [blockedMs, dnsMs, connectMs, tlsMs, sendMs, waitMs, receiveMs];
  const httpVersion = response?.protocol ?? 'unknown';
  return {
    pageref: pageId,
    startedDateTime: isoTime(request.timings.requestTime),
    time: phases.reduce<number>((sum, phase) => sum + (phase ?? 0), 0),
    request: {
      method: request.method,
      url: request.url,
      httpVersion,
      headers: request.headers.map(headerOf),
      cookies: [],
      queryString: [...new URL(request.url).searchParams].map(([name, value]) => ({ name, value })),
      headersSize: request.headersSize ?? -1,
      bodySize: request.bodySize ?? -1,
    },
    response: {
      status: response?.status ?? 0,
      statusText: response?.statusText ?? '',
      httpVersion,
      headers: response?.headers.map(headerOf) ?? [],
      cookies: [],
      redirectURL: response?.headers.find(({ name }) => name.toLowerCase() === 'location')?.value.value ?? '',
      headersSize: response?.headersSize ?? -1,
      bodySize: response?.bodySize ?? -1,
      content: { size: response?.bodySize ?? -1, mimeType: response?.mimeType ?? '' },
      ...(failure === null ? {} : { comment: failure }),
    },
    cache: {},
    timings: {
      blocked: blockedMs ?? -1,
      dns: dnsMs ?? -1,
      // HAR counts TLS into connect.
      connect: connectMs === null ? -1 : connectMs + (tlsMs ?? 0),
      ssl: tlsMs ?? -1,
      send: sendMs ?? 0,
      wait: waitMs ?? 0,
      receive: receiveMs ?? 0,
    },
  };
}

const headerOf = ({ name, value }: BidiHeader): Header => ({ name, value: value.value });

const isoTime = (epochMs: number): string => new Date(epochMs).toISOString();
