import { TowlineError } from '../../shared/errors/towline-error.ts';
import type { LiveLoad } from '../../shared/messages/live-load.ts';

const { setTimeout, clearTimeout } = ChromeUtils.importESModule('resource://gre/modules/Timer.sys.mjs');

/** As long as `towline compare` gives a page. */
const loadTimeoutMs = 60_000;

const cacheTopics = ['http-on-examine-cached-response', 'http-on-examine-merged-response'];
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
    await loadEvent(tab, () => {
      // Not LOAD_FLAGS_BYPASS_CACHE: for that Firefox goes by no Alt-Svc, given or learned (nsHttpChannel).
      browser.reloadWithFlags(Ci.nsIWebNavigation.LOAD_FLAGS_NONE);
    });
    seen.loadTimeMs = Date.now() - startedAtMs;
    return seen;
  } finally {
    for (const topic of topics) Services.obs.removeObserver(observe, topic);
  }
}

function isOf({ loadInfo }: HttpChannel, browser: TabBrowser): boolean {
  const context = loadInfo.targetBrowsingContext ?? loadInfo.workerAssociatedBrowsingContext ?? null;
  return context?.browserId === browser.browserId;
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

function headerOf(channel: HttpChannel, name: string): string | null {
  try {
    return channel.getResponseHeader(name);
  } catch {
    // So Firefox says that there is none.
    return null;
  }
}

/** Resolves when the page that `begin` has the tab load has fired its load event. */
function loadEvent(tab: NativeTab, begin: () => void): Promise<void> {
  const { linkedBrowser: browser } = tab;
  const window = tab.ownerDocument.defaultView;
  const { STATE_START, STATE_STOP } = Ci.nsIWebProgressListener;
  return new Promise((resolve, reject) => {
    let started = false;
    const finish = (error: TowlineError | null): void => {
      clearTimeout(timer);
      tab.removeEventListener('TabClose', onClose);
      window.removeEventListener('unload', onClose);
      browser.removeProgressListener(listener);
      if (error === null) resolve();
      else reject(error);
    };
    const onClose = (): void => {
      finish(
        new TowlineError('navigation-failed', 'browser', 'The tab was closed before its page was loaded.'),
      );
    };
    const listener: ProgressListener = {
      QueryInterface: ChromeUtils.generateQI(['nsIWebProgressListener', 'nsISupportsWeakReference']),
      onStateChange: (progress, _request, flags, status) => {
        if (!progress.isTopLevel) return;
        if ((flags & STATE_START) !== 0) started = true;
        else if (started && (flags & STATE_STOP) !== 0) finish(status === 0 ? null : failed(browser, status));
      },
    };
    const timer = setTimeout(() => {
      const seconds = loadTimeoutMs / 1000;
      const late = `The page did not fire its load event within ${seconds} s.`;
      finish(new TowlineError('load-timeout', 'browser', late));
    }, loadTimeoutMs);
    tab.addEventListener('TabClose', onClose);
    window.addEventListener('unload', onClose);
    browser.addProgressListener(listener, Ci.nsIWebProgress.NOTIFY_STATE_WINDOW);
    begin();
  });
}

function failed(browser: TabBrowser, status: number): TowlineError {
  return new TowlineError(
    'navigation-failed',
    'browser',
    `${browser.currentURI.spec} could not be loaded: ${ChromeUtils.getXPCOMErrorName(status)}.`,
    { remedy: 'Reload the page: the protocols are as they were before.' },
  );
}
