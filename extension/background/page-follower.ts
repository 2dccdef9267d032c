import type { PageReading, ReadingTime } from '../../shared/messages/page-reading.ts';
import type { TabShown } from '../platform/tabs.ts';
import { visited, visitKey, type PageObserved, type PageVisit } from '../recorder/page-visit.ts';

type Visits = Record<string, PageVisit>;

export interface PageFollowerDependencies {
  /** Asks the page in a tab, and waits until it tells, if need be until it is left; null where it cannot be asked. */
  ask: (tabId: number, asked: ReadingTime) => Promise<PageReading | null>;
  /** Outlives the background. */
  visits: { load(): Promise<Visits>; save(visits: Visits): Promise<void> };
  /** Whether pages of this address are to be recorded. */
  isWanted: (url: string) => Promise<boolean>;
  /** Whether what they ask for after their load is to be recorded too. */
  isRestWanted: () => Promise<boolean>;
  /** @returns whether the page is to be asked for more */
  receive: (page: PageObserved, tabId: number) => Promise<boolean>;
  /** Ms since the epoch. */
  now: () => number;
  /** Calls back later. @returns what calls it off */
  after: (delayMs: number, callback: () => void) => () => void;
}

/** What gave reason to ask a tab's page, and when. */
interface Call {
  shown: TabShown;
  atMs: number;
}

/** A page that is still loading after this long is asked as it is, and again after twice as long. */
const patienceMs = 3000;
/** A page is told to go so shortly before or after its successor is heard of, if it has one. */
const successionMs = 500;

/**
 * A tab says the same when a page has only changed its own address, which some do all the time: where the page that is
 * known is found again, the next look waits so long, unless the tab has been loading for longer than such a change takes.
 */
const restMs = 5000;
const changeMs = 50;

/**
 * Asks pages to tell of themselves: once they have loaded, and, where that is wanted, once more as they are left. Each
 * question costs the page some tenths of a millisecond.
 *
 * What is known of pages outlives the background. When it is ended, the answers that it waits for are lost, and what
 * they would have told comes with the next: a page tells all that its browser still holds.
 */
export class PageFollower {
  readonly #dependencies: PageFollowerDependencies;
  /** Tabs whose page's answer is waited for, and the last call meanwhile. */
  readonly #following = new Map<number, Call | null>();
  /** When something last arrived in a tab, ms since the epoch. */
  readonly #arrivals = new Map<number, number>();
  /** Until when tabs are let be, ms since the epoch. */
  readonly #resting = new Map<number, number>();
  /** By tab: calls off the next look at its page. */
  readonly #looks = new Map<number, () => void>();
  #visits: Promise<Visits> | null = null;
  /** Answers are taken one after the other, since each changes what the next means. */
  #taking: Promise<unknown> = Promise.resolve();

  constructor(dependencies: PageFollowerDependencies) {
    this.#dependencies = dependencies;
  }

  /** A document has begun to arrive in a tab, has come back to it, or has changed its own address. */
  async onArrival(shown: TabShown): Promise<void> {
    const { tabId, url } = shown;
    this.#arrivals.set(tabId, this.#dependencies.now());
    this.#lookWhileLoading(shown, patienceMs);
    if (await this.#isWanted(url)) return;
    this.#stopLooking(tabId);
    await this.#change((visits) => leave(visits, tabId, URL.parse(url ?? '')?.origin));
  }

  /** Whatever the tab was loading has loaded. */
  async onLoaded(shown: TabShown): Promise<void> {
    await this.#load({ shown, atMs: this.#dependencies.now() });
  }

  /** What is known of its pages stays: the last may still have to tell. */
  onTabClosed(tabId: number): void {
    this.#stopLooking(tabId);
    this.#resting.delete(tabId);
    this.#arrivals.delete(tabId);
  }

  /** Forgets pages that are not wanted any more: what they do meanwhile is not told when they are wanted again. */
  async onWantedChange(): Promise<void> {
    const origins = new Set(Object.values(await this.#loaded()).map(({ origin }) => origin));
    const wanted = new Set<string>();
    for (const origin of origins) if (await this.#isWanted(origin)) wanted.add(origin);
    await this.#change((visits) => keep(visits, ({ origin }) => wanted.has(origin)));
  }

  async #isWanted(url: string | null): Promise<boolean> {
    return url !== null && /^https?:/.test(url) && (await this.#dependencies.isWanted(url));
  }

  async #load(call: Call): Promise<void> {
    const { shown, atMs } = call;
    const { tabId, url } = shown;
    this.#stopLooking(tabId);
    // Whether it is another document shows when the answer comes: that it is left.
    if (this.#following.has(tabId)) this.#following.set(tabId, call);
    else if (await this.#isWanted(url)) {
      const isLoad = atMs - (this.#arrivals.get(tabId) ?? atMs) > changeMs;
      const waitMs = isLoad ? 0 : (this.#resting.get(tabId) ?? 0) - atMs;
      if (waitMs > 0) this.#lookLater(tabId, waitMs, () => this.#follow(call));
      else await this.#follow(call);
    }
  }

  async #follow(call: Call): Promise<void> {
    const { tabId } = call.shown;
    // Meanwhile another event may have begun to.
    if (this.#following.has(tabId)) return;
    this.#following.set(tabId, null);
    let last: PageReading | null = null;
    try {
      last = await this.#untilLeft(call);
    } finally {
      const next = this.#following.get(tabId);
      this.#following.delete(tabId);
      if (next && this.#dependencies.now() - next.atMs < successionMs) void this.#load(next);
    }
    if (last) await this.#take(last, call);
  }

  /** @returns what the page tells as it is left; null where that is not wanted, or cannot be asked for */
  async #untilLeft(call: Call): Promise<PageReading | null> {
    const { tabId } = call.shown;
    const { ask, isRestWanted } = this.#dependencies;
    const first = await ask(tabId, 'now');
    const isFollowed = first !== null && (await this.#take(first, call)) && (await isRestWanted());
    return isFollowed ? ask(tabId, 'leaving') : null;
  }

  #lookWhileLoading(shown: TabShown, delayMs: number): void {
    const { tabId } = shown;
    const call = { shown, atMs: this.#dependencies.now() };
    this.#lookLater(tabId, delayMs, async () => {
      if (this.#following.has(tabId)) return;
      const reading = await this.#dependencies.ask(tabId, 'now');
      // What has loaded meanwhile is asked for that.
      if (!reading || reading.loadEventEnd > 0) return;
      await this.#take(reading, call);
      if (!this.#looks.has(tabId)) this.#lookWhileLoading(shown, delayMs * 2);
    });
  }

  #lookLater(tabId: number, delayMs: number, look: () => Promise<void>): void {
    this.#stopLooking(tabId);
    const callOff = this.#dependencies.after(delayMs, () => {
      this.#looks.delete(tabId);
      void look();
    });
    this.#looks.set(tabId, callOff);
  }

  #stopLooking(tabId: number): void {
    this.#looks.get(tabId)?.();
    this.#looks.delete(tabId);
  }

  /** @returns whether the page may be asked once more */
  async #take(reading: PageReading, { shown: { tabId, url }, atMs }: Call): Promise<boolean> {
    const { now, receive } = this.#dependencies;
    // A page may say what it likes, but of no other site than its tab shows.
    if (URL.parse(reading.url)?.origin !== URL.parse(url ?? '')?.origin) return false;
    const taken = this.#taking.then(async () => {
      const visits = await this.#loaded();
      const before = visits[visitKey({ tabId, timeOriginMs: reading.timeOriginMs })] ?? null;
      const told = visited(tabId, reading, before, atMs);
      const isKnown = before?.hasLoaded === true && !before.isAway && reading.when === 'now';
      if (told === null || isKnown) this.#resting.set(tabId, now() + restMs);
      else this.#resting.delete(tabId);
      if (told === null || isKnown) return false;
      const { page, visit } = told;
      await this.#change((all) => ({ ...leave(all, tabId), [visitKey(visit)]: visit }));
      return receive(page, tabId);
    });
    this.#taking = taken.catch(() => undefined);
    return taken;
  }

  #loaded(): Promise<Visits> {
    this.#visits ??= this.#dependencies.visits.load();
    return this.#visits;
  }

  async #change(change: (visits: Visits) => Visits): Promise<void> {
    const before = await this.#loaded();
    const after = change(before);
    if (after === before) return;
    this.#visits = Promise.resolve(after);
    await this.#dependencies.visits.save(after);
  }
}

/** Something else is in a tab now than its documents, but for those of one origin: such a one may still be there. */
function leave(visits: Visits, tabId: number, but?: string): Visits {
  const left = Object.values(visits).filter(
    (visit) => visit.tabId === tabId && !visit.isAway && visit.origin !== but,
  );
  if (left.length === 0) return visits;
  return {
    ...visits,
    ...Object.fromEntries(left.map((visit) => [visitKey(visit), { ...visit, isAway: true }])),
  };
}

function keep(visits: Visits, isKept: (visit: PageVisit) => boolean): Visits {
  const entries = Object.entries(visits);
  const kept = entries.filter(([, visit]) => isKept(visit));
  return kept.length === entries.length ? visits : Object.fromEntries(kept);
}
