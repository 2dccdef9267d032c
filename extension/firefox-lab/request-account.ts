import type { OwnAccount, OwnRequest } from '../../shared/messages/own-browser.ts';
import { cacheTopics, headerOf, isOf } from './channels.ts';

const opening = 'http-on-opening-request';
const failedOpening = 'http-on-failed-opening-request';
const answered = ['http-on-examine-response', ...cacheTopics];
const stopped = 'http-on-stop-request';
const topics = [opening, failedOpening, ...answered, stopped];

/** nsresult of a channel that another has taken the place of. */
const redirected = 'NS_BINDING_REDIRECTED';
/** What the page or the browser itself broke off: it is no fault of the network. */
const cancelled = 'NS_BINDING_ABORTED';

interface Entry {
  request: OwnRequest;
  /** Nothing more is awaited of it. */
  done: boolean;
}

/** Every request of one tab's page from {@link start} to {@link stop}, as Firefox's main process sees them. */
export class RequestAccount {
  readonly #browser: TabBrowser;
  /** By channel. */
  readonly #entries = new Map<number, Entry>();
  readonly #altSvc: Record<string, string> = {};
  #changedAtMs = Date.now();

  constructor(browser: TabBrowser) {
    this.#browser = browser;
  }

  start(): void {
    for (const topic of topics) Services.obs.addObserver(this.#observe, topic);
  }

  stop(): void {
    for (const topic of topics) Services.obs.removeObserver(this.#observe, topic);
  }

  /** How long no request has been open, ms; 0 while one is. */
  quietForMs(): number {
    const isOpen = [...this.#entries.values()].some(({ done }) => !done);
    return isOpen ? 0 : Date.now() - this.#changedAtMs;
  }

  /**
   * In the order they were asked for; redirects are requests of their own. What the browser or an extension kept from
   * being sent is left out: it never was on the network.
   */
  read(): OwnAccount {
    return { requests: [...this.#entries.values()].map(({ request }) => request), altSvc: this.#altSvc };
  }

  readonly #observe: Observe = (subject, topic) => {
    const channel = subject.QueryInterface(Ci.nsIHttpChannel);
    if (!isOf(channel, this.#browser) || isFavicon(channel)) return;
    this.#changedAtMs = Date.now();
    if (topic === opening) this.#open(channel);
    const entry = this.#entries.get(channel.channelId);
    if (entry === undefined) return;
    if (answered.includes(topic)) this.#answer(entry, subject, channel, cacheTopics.includes(topic));
    else if (topic === stopped) this.#end(entry, subject, channel);
    else if (topic === failedOpening) this.#entries.delete(channel.channelId);
  };

  #open(channel: HttpChannel): void {
    const request: OwnRequest = {
      url: channel.URI.spec,
      type: typeOf(channel),
      protocol: null,
      status: null,
      askedAt: Date.now(),
      ...{ dnsStart: null, dnsEnd: null, connectStart: null, tlsStart: null, connectEnd: null },
      ...{ requestStart: null, responseStart: null, endedAt: null },
      transferBytes: null,
      bodyBytes: null,
      serverAddress: null,
      localPort: null,
      fromCache: false,
      failure: null,
    };
    this.#entries.set(channel.channelId, { request, done: false });
  }

  #answer(entry: Entry, subject: Channel, channel: HttpChannel, cached: boolean): void {
    const { request } = entry;
    const ends = subject.QueryInterface(Ci.nsIHttpChannelInternal);
    // Of a redirect nothing more may come.
    entry.done = isRedirect(channel);
    Object.assign(request, {
      protocol: channel.protocolVersion,
      status: channel.responseStatus,
      fromCache: cached,
      serverAddress: cached ? null : orNull(() => ends.remoteAddress),
      localPort: cached ? null : orNull(() => ends.localPort),
      endedAt: entry.done ? Date.now() : null,
      ...timesOf(subject),
    } satisfies Partial<OwnRequest>);
    const value = headerOf(channel, 'alt-svc');
    if (value !== null) this.#altSvc[channel.URI.prePath] = value;
  }

  #end(entry: Entry, subject: Channel, channel: HttpChannel): void {
    entry.done = true;
    const failure = channel.status === 0 ? null : ChromeUtils.getXPCOMErrorName(channel.status);
    const { request } = entry;
    const blocked = channel.loadInfo.requestBlockingReason !== 0;
    if (request.status === null && (failure === redirected || blocked)) {
      this.#entries.delete(channel.channelId);
      return;
    }
    if (failure === redirected || (failure !== null && isRedirect(channel))) return;
    const { responseEndTime } = subject.QueryInterface(Ci.nsITimedChannel);
    Object.assign(request, {
      ...timesOf(subject),
      endedAt: toMs(responseEndTime) ?? Date.now(),
      transferBytes: request.status === null ? null : channel.transferSize,
      bodyBytes: bodyBytesOf(channel),
      failure: failure === cancelled ? `aborted (${failure})` : failure,
    } satisfies Partial<OwnRequest>);
  }
}

type Times = Pick<
  OwnRequest,
  | 'askedAt'
  | 'dnsStart'
  | 'dnsEnd'
  | 'connectStart'
  | 'tlsStart'
  | 'connectEnd'
  | 'requestStart'
  | 'responseStart'
>;

function timesOf(subject: Channel): Times {
  const times = subject.QueryInterface(Ci.nsITimedChannel);
  return {
    askedAt: toMs(times.asyncOpenTime) ?? Date.now(),
    dnsStart: toMs(times.domainLookupStartTime),
    dnsEnd: toMs(times.domainLookupEndTime),
    connectStart: toMs(times.connectStartTime),
    tlsStart: toMs(times.secureConnectionStartTime),
    connectEnd: toMs(times.connectEndTime),
    requestStart: toMs(times.requestStartTime),
    responseStart: toMs(times.responseStartTime),
  };
}

function toMs(microseconds: number): number | null {
  return microseconds === 0 ? null : microseconds / 1000;
}

/** The body is decoded in the page's own process: here its size is known only where it came as it is. */
function bodyBytesOf(channel: HttpChannel): number | null {
  const { encodedBodySize } = channel;
  return encodedBodySize === 0 || headerOf(channel, 'content-encoding') !== null ? null : encodedBodySize;
}

/** The browser asks for it by itself. */
function isFavicon({ loadInfo }: HttpChannel): boolean {
  return loadInfo.internalContentPolicyType === Ci.nsIContentPolicy.TYPE_INTERNAL_IMAGE_FAVICON;
}

function isRedirect(channel: HttpChannel): boolean {
  const { responseStatus } = channel;
  return responseStatus >= 300 && responseStatus < 400 && headerOf(channel, 'location') !== null;
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    // So Firefox says that there is none.
    return null;
  }
}

/** Firefox's kinds of content, named as the other browsers' are. */
const types: readonly (readonly [number, string])[] = [
  [Ci.nsIContentPolicy.TYPE_DOCUMENT, 'document'],
  [Ci.nsIContentPolicy.TYPE_SUBDOCUMENT, 'document'],
  [Ci.nsIContentPolicy.TYPE_SCRIPT, 'script'],
  [Ci.nsIContentPolicy.TYPE_STYLESHEET, 'stylesheet'],
  [Ci.nsIContentPolicy.TYPE_IMAGE, 'image'],
  [Ci.nsIContentPolicy.TYPE_IMAGESET, 'image'],
  [Ci.nsIContentPolicy.TYPE_FONT, 'font'],
  [Ci.nsIContentPolicy.TYPE_MEDIA, 'media'],
  [Ci.nsIContentPolicy.TYPE_XMLHTTPREQUEST, 'xhr'],
  [Ci.nsIContentPolicy.TYPE_FETCH, 'fetch'],
  [Ci.nsIContentPolicy.TYPE_PING, 'ping'],
  [Ci.nsIContentPolicy.TYPE_BEACON, 'ping'],
];

function typeOf({ loadInfo }: HttpChannel): string {
  return types.find(([type]) => type === loadInfo.externalContentPolicyType)?.[1] ?? 'other';
}
