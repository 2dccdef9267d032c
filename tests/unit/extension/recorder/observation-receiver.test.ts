import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ObservationStore } from '../../../../extension/platform/observation-store.ts';
import { ObservationReceiver } from '../../../../extension/recorder/observation-receiver.ts';
import { makeEntry } from './make-entry.ts';
import { makePage, startMs } from './make-page.ts';

let store: ObservationStore;
let isWanted: boolean;
let isWatched: boolean;

beforeEach(() => {
  store = new ObservationStore();
  isWanted = true;
  isWatched = false;
});
afterEach(async () => {
  await store.erase();
  await store.close();
});

/** A life of the background: what the one before it held in memory is gone. */
function newLife(): ObservationReceiver {
  return new ObservationReceiver({
    store,
    addressesOf: () => Promise.resolve([]),
    limits: () => Promise.resolve({ maxAgeDays: 30_000, maxBytes: 1e6 }),
    isWanted: () => Promise.resolve(isWanted),
    isWatched: () => Promise.resolve(isWatched),
  });
}

const entries = (...names: string[]) =>
  names.map((name) => makeEntry({ name: `https://example.org/${name}` }));
const names = async () => (await store.newest(1))[0]?.requests.map(({ url }) => url.slice(-1));

it('stores what is told, and what is told again once, in every life of the background', async () => {
  expect(await newLife().receive(makePage({ requests: entries('1', '2') }), 7)).toBe(true);
  // With that life it was forgotten what the page had told.
  expect(await newLife().receive(makePage({ requests: entries('1', '2', '3') }), 7)).toBe(true);
  expect(await names()).toEqual(['1', '2', '3']);
});

it('loses and doubles nothing of readings that arrive together', async () => {
  const receiver = newLife();
  await Promise.all([
    receiver.receive(makePage({ requests: entries('1') }), 7),
    receiver.receive(makePage({ requests: entries('1', '2') }), 7),
    receiver.receive(makePage({ requests: entries('1', '2', '3') }), 7),
  ]);
  expect(await names()).toEqual(['1', '2', '3']);
});

it('says which protocol the document of a tab came over', async () => {
  const receiver = newLife();
  const told: unknown[] = [];
  receiver.onDocument = (...document) => told.push(document);
  await receiver.receive(makePage(), 7);
  expect(told).toEqual([[7, 'h2']]);
});

it('stops a page that is not wanted any more, or was erased', async () => {
  const receiver = newLife();
  await receiver.receive(makePage({ requests: entries('1') }), 7);
  await store.erase();
  expect(await receiver.receive(makePage({ goesOn: true, requests: entries('2') }), 7)).toBe(false);
  isWanted = false;
  expect(await receiver.receive(makePage({ requests: entries('1') }), 7)).toBe(false);
  expect(await store.amount()).toEqual({ count: 0, sizeBytes: 0 });
});

it('asks about a load once it has come to an end, until there is an answer', async () => {
  isWatched = true;
  const asked: unknown[] = [];
  const receiver = newLife();
  receiver.onLoaded = ({ tabId, fromMs, observation }) =>
    asked.push([tabId, fromMs, observation.loadEventMs]);
  await receiver.receive(makePage(), 7);
  expect(asked).toEqual([]);
  await receiver.receive(makePage({ loadEventEnd: 90 }), 7);
  await newLife().receive(makePage({ loadEventEnd: 90 }), 7);
  expect(asked).toEqual([[7, startMs, 90]]);
  expect((await store.newest(1))[0]?.wire).toEqual({ missing: 'unanswered', detail: null });

  const answered = { missing: 'busy', detail: null } as const;
  await store.change('page-1', (before) => before && { ...before, wire: answered });
  await receiver.receive(makePage({ loadEventEnd: 90, requests: entries('1') }), 7);
  expect(asked).toHaveLength(1);
  expect((await store.newest(1))[0]?.wire).toEqual(answered);
});

it('goes by the clock on the wall where a page counts on from before the machine slept', async () => {
  isWatched = true;
  const asked: number[] = [];
  const receiver = newLife();
  receiver.onLoaded = ({ fromMs }) => asked.push(fromMs);
  const hour = 3_600_000;
  await receiver.receive(makePage({ loadEventEnd: 90, wallOriginMs: startMs + hour }), 7);
  expect(asked).toEqual([startMs + hour]);
});

it('asks nothing about a page that was shown again without being loaded', async () => {
  isWatched = true;
  const receiver = newLife();
  receiver.onLoaded = () => expect.fail('It asked.');
  await receiver.receive(makePage({ kind: 'bfcache', document: null }), 7);
  expect((await store.newest(1))[0]?.wire).toBeUndefined();
});
