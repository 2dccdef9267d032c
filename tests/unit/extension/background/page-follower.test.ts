import { beforeEach, expect, it, vi } from 'vitest';
import { PageFollower } from '../../../../extension/background/page-follower.ts';
import type { PageObserved, PageVisit } from '../../../../extension/recorder/page-visit.ts';
import type { PageReading, ReadingTime, TimingEntry } from '../../../../shared/messages/page-reading.ts';
import { makeEntry } from '../recorder/make-entry.ts';
import { startMs } from '../recorder/make-page.ts';
import { makeReading } from '../recorder/make-reading.ts';

const tabId = 7;
const shown = { tabId, url: 'https://example.org/' };
const late = makeEntry({ startTime: 500, responseEnd: 530 });

/** Questions that wait for their answer, in the order in which they were asked. */
let asked: { question: ReadingTime; answer: (reading: PageReading | null) => void }[];
let saved: Record<string, PageVisit>;
let received: PageObserved[];
let isWanted: (url: string) => boolean;
let isRestWanted: boolean;
let goesOn: boolean;
/** The store cannot be written to. */
let fails: boolean;
let now: number;
/** What is to happen later, and when. */
let timers: { delayMs: number; callback: () => void }[];

beforeEach(() => {
  asked = [];
  saved = {};
  received = [];
  isWanted = () => true;
  isRestWanted = true;
  goesOn = true;
  fails = false;
  now = startMs + 25;
  timers = [];
});

/** A life of the background. */
function newLife(): PageFollower {
  return new PageFollower({
    ask: (_, question) => new Promise((answer) => asked.push({ question, answer })),
    visits: {
      load: () => Promise.resolve(saved),
      save: (visits) => Promise.resolve(void (saved = visits)),
    },
    isWanted: (url) => Promise.resolve(isWanted(url)),
    isRestWanted: () => Promise.resolve(isRestWanted),
    receive: (page) =>
      fails ? Promise.reject(new Error('Full.')) : Promise.resolve(received.push(page) > 0 && goesOn),
    now: () => now,
    after: (delayMs, callback) => {
      const timer = { delayMs, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
  });
}

async function answer(when: ReadingTime, reading: PageReading | null): Promise<void> {
  await vi.waitUntil(() => asked.some(({ question }) => question === when));
  const at = asked.findIndex(({ question }) => question === when);
  asked.splice(at, 1)[0]?.answer(reading);
  await settled();
}

/** All that follows from what has happened. */
const settled = () => new Promise((resolve) => setTimeout(resolve));
const left = (change: Partial<PageReading> & { requests?: TimingEntry[] } = {}) =>
  makeReading({ when: 'left', requests: [], ...change });

it('asks a page that has loaded what there is, and then to tell when it is left', async () => {
  void newLife().onLoaded(shown);
  await answer('now', makeReading());
  expect(asked.map(({ question }) => question)).toEqual(['leaving']);
  await answer('leaving', left({ requests: [late] }));
  expect(received.map(({ requests }) => requests.length)).toEqual([1, 1]);
  expect(received.map(({ goesOn: isMore }) => isMore)).toEqual([false, true]);
  expect(asked).toEqual([]);
});

it('asks no more than that where the rest is not wanted', async () => {
  isRestWanted = false;
  const follower = newLife();
  void follower.onLoaded(shown);
  await answer('now', makeReading());
  expect(asked).toEqual([]);
  // The page changes its own address, and again: it is looked at once in five seconds, and nothing is added.
  void follower.onLoaded(shown);
  await answer('now', makeReading({ requests: [makeEntry(), late] }));
  now += 1000;
  await follower.onLoaded(shown);
  now += 1000;
  await follower.onLoaded(shown);
  expect(asked).toEqual([]);
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([3000]);
  now += 3000;
  timers.shift()?.callback();
  // By then it is another.
  await answer('now', makeReading({ timeOriginMs: now - 100 }));
  expect(received.map(({ requests }) => requests.length)).toEqual([1, 1]);
  void follower.onLoaded(shown);
  await settled();
  expect(asked).toHaveLength(1);
});

it('lets a page that has changed its address wait for no other that was loaded since', async () => {
  isRestWanted = false;
  const follower = newLife();
  void follower.onLoaded(shown);
  await answer('now', makeReading());
  void follower.onLoaded(shown);
  await answer('now', makeReading());
  now += 1000;
  await follower.onArrival(shown);
  now += 200;
  void follower.onLoaded(shown);
  await answer('now', makeReading({ timeOriginMs: now - 220 }));
  expect(received).toHaveLength(2);
});

it('follows the next page where one could not be stored', async () => {
  const follower = newLife();
  fails = true;
  const failing = expect(follower.onLoaded(shown)).rejects.toThrow();
  await answer('now', makeReading());
  await failing;
  fails = false;
  void follower.onLoaded(shown);
  await answer('now', makeReading({ timeOriginMs: startMs + 5 }));
  expect(received).toHaveLength(1);
});

it('looks at a page that loads for long, ever more rarely, until it has loaded', async () => {
  const follower = newLife();
  await follower.onArrival(shown);
  for (const delayMs of [3000, 6000]) {
    expect(timers.map((timer) => timer.delayMs)).toEqual([delayMs]);
    timers.shift()?.callback();
    await answer('now', makeReading({ loadEventEnd: 0 }));
  }
  expect(timers).toHaveLength(1);
  void follower.onLoaded(shown);
  expect(timers).toEqual([]);
  await answer('now', makeReading());
  expect(received.map(({ loadEventEnd }) => loadEventEnd)).toEqual([0, 0, 90]);
});

it('does not look at a page that is not wanted', async () => {
  isWanted = () => false;
  await newLife().onArrival(shown);
  expect(timers).toEqual([]);
});

it('asks the next document as the one before is left', async () => {
  const follower = newLife();
  void follower.onLoaded(shown);
  await answer('now', makeReading());
  // A document of another process has loaded before the one that it replaces has told that it is left.
  now = startMs + 5000;
  void follower.onLoaded(shown);
  await settled();
  expect(asked).toHaveLength(1);
  await answer('leaving', left());
  await answer('now', makeReading({ timeOriginMs: startMs + 4990 }));
  expect(new Set(received.map(({ id }) => id)).size).toBe(2);
});

it('asks a page nothing new that has changed its own address', async () => {
  const follower = newLife();
  void follower.onLoaded(shown);
  await answer('now', makeReading());
  void follower.onLoaded(shown);
  await settled();
  expect(asked).toHaveLength(1);
  // Nor when it is left at some later time.
  now += 5000;
  await answer('leaving', left());
  expect(asked).toEqual([]);
});

it('knows a page that comes back', async () => {
  const follower = newLife();
  void follower.onLoaded(shown);
  await answer('now', makeReading());
  await answer('leaving', left({ when: 'kept', atMs: 5000, wallMs: startMs + 5000 }));
  now = startMs + 9000;
  void follower.onLoaded(shown);
  await answer('now', makeReading());
  await answer('leaving', left());
  expect(received.map(({ kind }) => kind)).toEqual(['navigate', 'navigate', 'bfcache', 'bfcache']);
});

it('knows it too where nobody heard that it was left', async () => {
  void newLife().onLoaded(shown);
  await answer('now', makeReading());
  now = startMs + 3020;
  const url = 'https://elsewhere.example/';
  void newLife().onLoaded({ tabId, url });
  await answer('now', makeReading({ url, timeOriginMs: startMs + 3000 }));
  now = startMs + 9000;
  void newLife().onLoaded(shown);
  await answer('now', makeReading());
  expect(received.map(({ kind }) => kind)).toEqual(['navigate', 'navigate', 'bfcache']);
});

it.each([null, 'https://unwanted.example/'])('nor what was between, as %s', async (url) => {
  isWanted = (each) => each.startsWith('https://example.org');
  void newLife().onLoaded(shown);
  await answer('now', makeReading());
  const follower = newLife();
  await follower.onArrival({ tabId, url });
  now = startMs + 9000;
  void follower.onLoaded(shown);
  await answer('now', makeReading());
  expect(received.map(({ kind }) => kind)).toEqual(['navigate', 'bfcache']);
});

it('follows no page that is not wanted any more, or was erased', async () => {
  goesOn = false;
  const follower = newLife();
  void follower.onLoaded(shown);
  await answer('now', makeReading());
  expect(received).toHaveLength(1);
  expect(asked).toEqual([]);
  isWanted = () => false;
  await follower.onWantedChange();
  // Wanted again: what it did meanwhile is its own affair.
  isWanted = () => true;
  now = startMs + 60_000;
  void follower.onLoaded(shown);
  await answer('now', makeReading());
  expect(received).toHaveLength(1);
});

it('takes from a page nothing that it says of another site than its tab shows', async () => {
  void newLife().onLoaded(shown);
  await answer('now', makeReading({ url: 'https://bank.example/' }));
  expect(received).toEqual([]);
  expect(asked).toEqual([]);
});

it('asks nothing of a browser’s own pages', async () => {
  await newLife().onLoaded({ tabId, url: 'chrome://settings/' });
  expect(asked).toEqual([]);
});

it('goes on with the next page where one cannot be asked', async () => {
  const follower = newLife();
  void follower.onLoaded(shown);
  await answer('now', null);
  void follower.onLoaded(shown);
  await answer('now', makeReading());
  expect(received).toHaveLength(1);
});

it('looks no more at a tab that is closed, but takes what its page still tells', async () => {
  const follower = newLife();
  void follower.onLoaded(shown);
  await answer('now', makeReading());
  await follower.onArrival(shown);
  follower.onTabClosed(tabId);
  expect(timers).toEqual([]);
  await answer('leaving', left());
  expect(received).toHaveLength(2);
});
