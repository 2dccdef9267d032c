import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ObservationStore } from '../../../../extension/platform/observation-store.ts';
import type { Observation } from '../../../../shared/record/observation.ts';

let store: ObservationStore;

beforeEach(() => {
  store = new ObservationStore();
});
afterEach(async () => {
  await store.erase();
  await store.close();
});

function observation(id: string, daysAgo: number): Observation {
  return {
    id,
    url: 'https://example.org/',
    queryCut: false,
    startedAt: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
    kind: 'load',
    document: null,
    domContentLoadedMs: null,
    loadEventMs: null,
    shownMs: null,
    requests: [],
    truncated: false,
    servers: [],
  };
}

async function fill(...daysAgo: number[]): Promise<number> {
  for (const days of daysAgo) await store.change(`${days}`, () => observation(`${days}`, days));
  return (await store.amount()).sizeBytes / daysAgo.length;
}

const ids = async () => (await store.newest(Infinity)).map(({ id }) => id);

it('changes what is there, and lists the newest first', async () => {
  await fill(3, 1, 2);
  await store.change('2', (before) => before && { ...before, truncated: true });
  expect(await ids()).toEqual(['1', '2', '3']);
  expect((await store.newest(2)).map(({ truncated }) => truncated)).toEqual([false, true]);
});

it('stores nothing for a change that gives nothing', async () => {
  expect(await store.change('1', () => null)).toBeNull();
  expect(await store.amount()).toEqual({ count: 0, sizeBytes: 0 });
});

it('deletes what is too old', async () => {
  await fill(1, 10, 31, 40);
  await store.prune({ maxAgeDays: 30, maxBytes: Infinity });
  expect(await ids()).toEqual(['1', '10']);
});

it('deletes the oldest until the rest is small enough', async () => {
  const each = await fill(1, 2, 3, 4);
  await store.prune({ maxAgeDays: 30, maxBytes: 2.5 * each });
  expect(await ids()).toEqual(['1', '2']);
  await store.prune({ maxAgeDays: 30, maxBytes: 0 });
  expect(await ids()).toEqual([]);
});

it('keeps what is within the limits', async () => {
  await fill(1, 2);
  await store.prune({ maxAgeDays: 30, maxBytes: 1e6 });
  expect(await ids()).toEqual(['1', '2']);
});
