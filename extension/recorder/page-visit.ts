import type { PageReading, TimingEntry } from '../../shared/messages/page-reading.ts';

/** A document in a tab, as long as the browser session lasts: what is known of it that it does not tell itself. */
export interface PageVisit {
  tabId: number;
  /** Ms since the epoch, by the page's own clock: no two documents of a tab have the same. */
  timeOriginMs: number;
  /** Of its address. */
  origin: string;
  /** How often it has come back from the back/forward cache. */
  returns: number;
  /** Ms since the time origin, when it last came back; 0 while it has not. */
  sinceMs: number;
  /** Ms since the time origin: where the requests of its present view begin. */
  fromMs: number;
  /** It has told of itself after its load, or its return. */
  hasLoaded: boolean;
  /** Something else has been in its tab since it last told of itself. */
  isAway: boolean;
  /** Ms since the time origin, when it was left; null where it was not asked to tell. */
  leftMs: number | null;
}

/** Part of a page's life between two returns to it, as one reading tells of it. */
export interface PageObserved {
  /** The same in every message about one view of one document. */
  id: string;
  url: string;
  timeOriginMs: number;
  /**
   * The same by the clock on the wall, which packets are timed by: a browser goes on counting from when it began, so
   * that the two part when that clock is set, or the machine sleeps.
   */
  wallOriginMs: number;
  /** Ms since the time origin: 0, or when the page came back from the back/forward cache. */
  sinceMs: number;
  kind: PageReading['type'] | 'bfcache';
  /** Null for `bfcache`. */
  document: TimingEntry | null;
  domContentLoadedEventEnd: number;
  loadEventEnd: number;
  activationStart: number;
  /** Of its requests, those that this reading tells of. */
  requests: TimingEntry[];
  /** Something of it has been told before: when it is not stored any more, it was erased meanwhile. */
  goesOn: boolean;
}

/** A page's arrival and the event by which its tab tells of it may be so far apart. */
const lateMs = 10_000;
/** A page's return and the event by which its tab tells of it: for so long it may have asked for something already. */
const returnMs = 500;

/** Under which a visit is remembered, and its first view stored. */
export function visitKey({ tabId, timeOriginMs }: Pick<PageVisit, 'tabId' | 'timeOriginMs'>): string {
  return `${tabId}-${Math.round(timeOriginMs * 1000)}`;
}

/** Under which its present view is stored. */
export function viewId(visit: PageVisit): string {
  return visit.returns === 0 ? visitKey(visit) : `${visitKey(visit)}-${visit.returns}`;
}

/**
 * What a reading tells, in the light of what is known of the visit.
 *
 * @param tabId the page's tab
 * @param before null for a page that has not told of itself before
 * @param calledMs when the tab gave reason to ask the page, ms since the epoch
 * @returns null for a page that was there before: the recorder was switched on meanwhile
 */
export function visited(
  tabId: number,
  reading: PageReading,
  before: PageVisit | null,
  calledMs: number,
): { page: PageObserved; visit: PageVisit } | null {
  const { timeOriginMs, responseStart, activationStart, when } = reading;
  const wallOriginMs = reading.wallMs - reading.atMs;
  const arrivedMs = wallOriginMs + Math.max(responseStart, activationStart);
  if (before === null && arrivedMs < calledMs - lateMs) return null;
  const known = before ?? firstVisit(tabId, reading);
  // As it is left, its tab may have told of its successor already.
  const isBack = known.isAway && when === 'now';
  const present = isBack ? returned(known, calledMs - wallOriginMs) : known;
  const [document, ...entries] = reading.entries;
  const requests = entries.filter(([, , , startTime]) => startTime >= present.fromMs);
  const visit = {
    ...present,
    hasLoaded: present.hasLoaded || reading.loadEventEnd > 0,
    isAway: when !== 'now',
    leftMs: when === 'kept' ? reading.atMs : null,
  };
  const isLoad = present.returns === 0;
  const page: PageObserved = {
    id: viewId(present),
    url: reading.url,
    timeOriginMs,
    wallOriginMs,
    sinceMs: present.sinceMs,
    ...(isLoad ? loadOf(reading, document) : shownAgain),
    requests,
    goesOn: before !== null && !isBack,
  };
  return { page, visit };
}

type Load = Pick<
  PageObserved,
  'kind' | 'document' | 'domContentLoadedEventEnd' | 'loadEventEnd' | 'activationStart'
>;

function loadOf(reading: PageReading, document: TimingEntry): Load {
  const { type, domContentLoadedEventEnd, loadEventEnd, activationStart } = reading;
  const kind = activationStart > 0 ? 'prerender' : type;
  return { kind, document, domContentLoadedEventEnd, loadEventEnd, activationStart };
}

/** Nothing was loaded. */
const shownAgain: Load = {
  kind: 'bfcache',
  document: null,
  domContentLoadedEventEnd: 0,
  loadEventEnd: 0,
  activationStart: 0,
};

function firstVisit(tabId: number, { url, timeOriginMs }: PageReading): PageVisit {
  const { origin } = new URL(url);
  const first = {
    returns: 0,
    sinceMs: 0,
    fromMs: 0,
    hasLoaded: false,
    isAway: false,
    leftMs: null,
  };
  return { tabId, timeOriginMs, origin, ...first };
}

function returned(visit: PageVisit, sinceMs: number): PageVisit {
  return {
    ...visit,
    returns: visit.returns + 1,
    sinceMs: Math.max(sinceMs, visit.leftMs ?? 0),
    fromMs: visit.leftMs ?? sinceMs - returnMs,
    hasLoaded: false,
    isAway: false,
    leftMs: null,
  };
}
