import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ComparisonStore } from '../../../../extension/platform/comparison-store.ts';
import { summaryOf } from '../../../../shared/record/comparison-summary.ts';
import { makeRecord } from '../../../fixtures/record/make-record.ts';

let store: ComparisonStore;

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  store = new ComparisonStore();
});

afterEach(() => store.close());

it('gives back the very record', async () => {
  const record = makeRecord();
  await store.save(record);
  expect(await store.get(record.id)).toEqual(record);
});

it('lists the newest first, each once, without reading trials', async () => {
  const older = makeRecord({ id: 'older', createdAt: '2026-01-01T00:00:00.000Z' });
  const newer = makeRecord({ id: 'newer', createdAt: '2026-02-01T00:00:00.000Z' });
  for (const record of [newer, older, newer]) await store.save(record);
  const list = await store.list();
  expect(list.map(({ id }) => id)).toEqual(['newer', 'older']);
  expect(list[0]?.summary).toMatchObject({ asked: newer.target.asked });
  expect(newer.statistics.pairs).toMatchObject(list[0]?.summary?.pairs ?? []);
  expect(list[0]?.summary).not.toHaveProperty('resources');
});

it("lists one page's comparisons, and tells of one alone", async () => {
  const target = { asked: 'https://elsewhere.example/', url: 'https://elsewhere.example/', lab: null };
  const [here, elsewhere] = [makeRecord({ id: 'here' }), makeRecord({ id: 'elsewhere', target })];
  for (const record of [here, elsewhere]) await store.save(record);
  expect((await store.list(target.asked)).map(({ id }) => id)).toEqual(['elsewhere']);
  expect(await store.list('https://nowhere.example/')).toEqual([]);
  expect(await store.summary('here')).toEqual(summaryOf(here));
  expect(await store.summary('nowhere')).toBeNull();
});

it('knows nothing of what was deleted or never there', async () => {
  const record = makeRecord();
  await store.save(record);
  await store.delete(record.id);
  expect(await store.get(record.id)).toBeNull();
  expect(await store.list()).toEqual([]);
});

it('says what is wrong with a damaged entry, and goes on with the others', async () => {
  const record = makeRecord({ id: 'whole' });
  await store.save(record);
  const database = await openDB('towline');
  await database.put('records', { id: 'torn', text: '{"format":"towline-rec' });
  await database.put('summaries', { id: 'torn', asked: 'https://torn.example/', text: '{"id":"torn","arms' });
  await database.put('summaries', { id: 'other', text: '{"id":"other","arms":"h9"}' });
  database.close();
  const list = await store.list();
  expect(list.map(({ id, summary }) => [id, summary === null])).toEqual([
    ['whole', false],
    ['other', true],
    ['torn', true],
  ]);
  await expect(store.get('torn')).rejects.toMatchObject({ code: 'bad-record' });
  expect(await store.get('whole')).toEqual(record);
});

it('takes over a store of the first version, where summaries were kept as objects', async () => {
  const records = ['2026-01-01', '2026-02-01'].map((day) =>
    makeRecord({ id: day, createdAt: `${day}T00:00:00.000Z` }),
  );
  const first = await openDB('towline', 1, {
    upgrade(database) {
      database.createObjectStore('records', { keyPath: 'id' });
      database.createObjectStore('summaries', { keyPath: 'id' }).createIndex('createdAt', 'createdAt');
    },
  });
  for (const record of records) {
    await first.put('records', { id: record.id, text: JSON.stringify(record) });
    await first.put('summaries', { ...summaryOf(record), pairs: record.statistics.pairs });
  }
  await first.put('summaries', { id: 'torn', createdAt: 'some day', pairs: 7 });
  first.close();

  const [newer, older, torn] = await store.list();
  expect([newer?.summary, older?.summary]).toEqual(records.map(summaryOf).reverse());
  expect(torn).toEqual({ id: 'torn', summary: null });
  expect(await store.get('2026-01-01')).toEqual(records[0]);
  expect((await store.list(records[0]?.target.asked)).map(({ id }) => id)).toEqual([
    '2026-02-01',
    '2026-01-01',
  ]);
});
