import type { Entry, Har, Page, Timings } from 'har-format';
import { browserNames } from '../../shared/record/names.ts';
import type { ComparisonRecord } from '../../shared/record/record.ts';
import type { Resource, Trial } from '../../shared/record/trial.ts';
import { waterfallRows, type WaterfallRow } from '../charts/waterfall-rows.ts';

/**
 * Page loads as HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), one page per load, for the tools that
 * read it. A record keeps no headers, cookies or bodies: those parts are empty. What the format has no place for
 * stands in members that begin with an underscore, as it asks.
 */
export function harOf(record: ComparisonRecord, trials: readonly Trial[]): Har {
  const { browser, towlineVersion } = record.environment;
  return {
    log: {
      version: '1.2',
      creator: { name: 'Towline', version: towlineVersion },
      browser: {
        name: browserNames[browser.name],
        version: browser.version,
        ...(browser.own ? { comment: "the person's own, with its profile and extensions" } : {}),
      },
      pages: trials.map((trial) => pageOf(record, trial)),
      entries: trials.flatMap((trial) => waterfallRows(trial).map((row) => entryOf(trial, row))),
    },
  };
}

function pageId({ index }: Trial): string {
  return `load-${index + 1}`;
}

function pageOf({ target }: ComparisonRecord, trial: Trial): Page {
  const { navigation } = trial;
  const page: Page & Record<`_${string}`, unknown> = {
    id: pageId(trial),
    title: target.url,
    startedDateTime: dateOf(trial, 0),
    pageTimings: { onContentLoad: navigation?.domContentLoadedMs ?? -1, onLoad: trial.loadTimeMs ?? -1 },
    _arm: trial.arm,
    _block: trial.block,
    _warmup: trial.warmup,
    _valid: trial.verdict.valid,
    _timeOnWireMs: trial.wire?.timeOnWireMs.value ?? null,
  };
  return page;
}

function entryOf(trial: Trial, { resource, wire }: WaterfallRow): Entry {
  const timings = timingsOf(resource);
  const httpVersion = resource.protocol ?? 'unknown';
  const none = { cookies: [], headers: [], headersSize: -1 };
  const entry: Entry & Record<`_${string}`, unknown> = {
    pageref: pageId(trial),
    startedDateTime: dateOf(trial, resource.startedAtMs),
    time: sumOf(timings),
    request: {
      ...none,
      // The packets tell; where they do not, it is how pages fetch nearly everything.
      method: wire?.request.method ?? 'GET',
      url: resource.url,
      httpVersion,
      queryString: [...(URL.parse(resource.url)?.searchParams ?? [])].map(([name, value]) => ({
        name,
        value,
      })),
      bodySize: -1,
    },
    response: {
      ...none,
      status: resource.status ?? 0,
      statusText: resource.failure ?? '',
      httpVersion,
      redirectURL: '',
      content: { size: resource.bodyBytes ?? -1, mimeType: '' },
      bodySize: -1,
    },
    cache: {},
    timings,
    _transferSize: resource.transferBytes,
    _type: resource.type,
    _endedAtMs: resource.endedAtMs,
  };
  if (resource.serverAddress !== null)
    entry.serverIPAddress = resource.serverAddress.replace(/^\[(.*)\]$/, '$1');
  if (resource.connectionId !== null) entry.connection = resource.connectionId;
  return entry;
}

/** Phases a request did not go through, or that are not known, are -1; `connect` includes `ssl`. */
function timingsOf({ phases }: Resource): Timings {
  const connectMs =
    phases.connectMs === null && phases.tlsMs === null ? -1 : (phases.connectMs ?? 0) + (phases.tlsMs ?? 0);
  return {
    blocked: phases.blockedMs ?? -1,
    dns: phases.dnsMs ?? -1,
    connect: connectMs,
    ssl: phases.tlsMs ?? -1,
    // These three have no "not applicable" in the format, but -1 says so plainer than 0.
    send: phases.sendMs ?? -1,
    wait: phases.waitMs ?? -1,
    receive: phases.receiveMs ?? -1,
  };
}

/** By the specification: the sum of the timings that are not -1, `ssl` left out, since `connect` holds it. */
function sumOf({ blocked, dns, connect, send, wait, receive }: Timings): number {
  return [blocked, dns, connect, send, wait, receive]
    .map((ms) => Math.max(0, ms ?? -1))
    .reduce((sum, ms) => sum + ms, 0);
}

function dateOf({ navigation, startedAt }: Trial, sinceStartMs: number): string {
  return new Date((navigation?.timeOriginEpochMs ?? Date.parse(startedAt)) + sinceStartMs).toISOString();
}
