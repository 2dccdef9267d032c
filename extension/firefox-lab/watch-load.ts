import type { LiveLoad } from '../../shared/messages/live-load.ts';
import { cacheTopics, headerOf, isOf } from './channels.ts';
import { loadEvent } from './load-event.ts';

/** As long as `towline compare` gives a page. */
const loadTimeoutMs = 60_000;

const topics = ['http-on-examine-response', ...cacheTopics];

/** What one load showed in the browser's main process. */
export interface WatchedLoad extends Pick<
  LiveLoad,
  'requests' | 'fromCache' | 'loadTimeMs' | 'protocol' | 'url'
> {
  /** Of the document. */
  origin: Origin;
  /** Of every response that had an `Alt-Svc` field. */
  altSvc: { origin: Origin; value: string }[];
}

export interface Origin {
  hostname: string;
  /** Empty for the scheme's own. */
  port: string;
}

/**
 * Reloads a tab, whose caches are empty, and watches every response of its page, frames included: the protocol is what
 * `nextHopProtocol` says, but for third parties too, and without a permission to read the page.
 *
 * @throws TowlineError `load-timeout`, or `navigation-failed` with Firefox's name of what went wrong
 */
export async function watchLoad(tab: NativeTab): Promise<WatchedLoad> {
  const browser = tab.linkedBrowser;
  const uri = browser.currentURI;
  const seen: WatchedLoad = {
    ...{ url: uri.spec, origin: originOf(uri), protocol: '' },
    ...{ requests: {}, fromCache: 0, altSvc: [], loadTimeMs: 0 },
  };
  const startedAtMs = Date.now();
  const observe: Observe = (subject, topic) => {
    const channel = subject.QueryInterface(Ci.nsIHttpChannel);
    if (isOf(channel, browser)) note(seen, channel, cacheTopics.includes(topic));
  };
  for (const topic of topics) Services.obs.addObserver(observe, topic);
  try {
    await loadEvent(tab, { timeoutMs: loadTimeoutMs }, () => {
      // Not LOAD_FLAGS_BYPASS_CACHE: for that Firefox goes by no Alt-Svc, given or learned (nsHttpChannel).
      browser.reloadWithFlags(Ci.nsIWebNavigation.LOAD_FLAGS_NONE);
    });
    seen.loadTimeMs = Date.now() - startedAtMs;
    return seen;
  } finally {
    for (const topic of topics) Services.obs.removeObserver(observe, topic);
  }
}

function note(seen: WatchedLoad, channel: HttpChannel, cached: boolean): void {
  const protocol = channel.protocolVersion;
  seen.requests[protocol] = (seen.requests[protocol] ?? 0) + 1;
  if (cached) seen.fromCache += 1;
  if (channel.isMainDocumentChannel && channel.loadInfo.isTopLevelLoad) {
    seen.protocol = protocol;
    seen.url = channel.URI.spec;
    seen.origin = originOf(channel.URI);
  }
  const value = headerOf(channel, 'alt-svc');
  if (value !== null) seen.altSvc.push({ origin: originOf(channel.URI), value });
}

function originOf({ host, port }: Uri): Origin {
  return { hostname: host, port: port === -1 ? '' : String(port) };
}
