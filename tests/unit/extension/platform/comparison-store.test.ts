import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ComparisonStore } from '../../../../extension/platform/comparison-store.ts';
import { makeRecord } from '../../../fixtures/record/make-record.ts';

let store: ComparisonStore;

beforeEach(() => {
  store = new ComparisonStore();
});

afterEach(async () => {
  for (const { id } of await store.list()) await store.delete(id);
  await store.close();
});

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
  expect(list[0]?.summary).toMatchObject({ asked: newer.target.asked, pairs: newer.statistics.pairs });
  expect(list[0]?.summary).not.toHaveProperty('resources');
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
  const database = await openDB('towline', 1);
  await database.put('records', { id: 'torn', text: '{"format":"towline-rec' });
  await database.put('summaries', { id: 'torn', createdAt: '2026-03-01T00:00:00.000Z', arms: 'h9' });
  database.close();
  const list = await store.list();
  expect(list.map(({ id, summary }) => [id, summary === null])).toEqual([
    ['torn', true],
    ['whole', false],
  ]);
  await expect(store.get('torn')).rejects.toMatchObject({ code: 'bad-record' });
  expect(await store.get('whole')).toEqual(record);
});
