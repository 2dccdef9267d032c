import { expect, it } from 'vitest';
import { viewId, visited, visitKey } from '../../../../extension/recorder/page-visit.ts';
import { makeEntry } from './make-entry.ts';
import { startMs } from './make-page.ts';
import { makeReading } from './make-reading.ts';

const tabId = 7;
const calledMs = startMs + 25;
const first = () => {
  const told = visited(tabId, makeReading(), null, calledMs);
  if (!told) throw new Error('It was not taken.');
  return told;
};

it('takes the first that a page tells as the beginning of its visit', () => {
  const { page, visit } = first();
  expect(page).toMatchObject({ id: viewId(visit), kind: 'navigate', sinceMs: 0, goesOn: false });
  expect(visit).toMatchObject({ tabId, origin: 'https://example.org' });
});

it('goes on with the same page under the same name', () => {
  const { page, visit } = first();
  const later = makeReading({ requests: [makeEntry({ startTime: 200, responseEnd: 230 })] });
  const next = visited(tabId, later, visit, startMs + 500);
  expect(next?.page).toMatchObject({ id: page.id, goesOn: true, kind: 'navigate' });
  expect(next?.page.requests).toHaveLength(1);
});

it('tells documents of a tab apart, and tabs', () => {
  const { visit } = first();
  const names = [visit, { ...visit, timeOriginMs: startMs + 0.1 }, { ...visit, tabId: 8 }].map(visitKey);
  expect(new Set(names).size).toBe(3);
});

it('leaves a page alone that was there before anybody asked', () => {
  expect(visited(tabId, makeReading(), null, startMs + 60_000)).toBeNull();
  // One that was long in coming was not.
  expect(visited(tabId, makeReading({ responseStart: 59_000 }), null, startMs + 60_000)).not.toBeNull();
});

it('takes a page that comes back as one that is shown again, from then on', () => {
  const { page, visit } = first();
  const kept = visited(
    tabId,
    makeReading({ when: 'kept', atMs: 5000, wallMs: startMs + 5000 }),
    visit,
    startMs + 500,
  );
  expect(kept?.visit).toMatchObject({ isAway: true, leftMs: 5000 });
  const requests = [makeEntry(), makeEntry({ startTime: 9010, responseEnd: 9030 })];
  const back = visited(tabId, makeReading({ requests }), kept?.visit ?? null, startMs + 9000);
  expect(back?.page).toMatchObject({
    kind: 'bfcache',
    document: null,
    loadEventEnd: 0,
    sinceMs: 9000,
    goesOn: false,
  });
  expect(back?.page.id).not.toBe(page.id);
  expect(back?.page.requests).toEqual(requests.slice(1));
  const more = visited(tabId, makeReading({ when: 'left' }), back?.visit ?? null, startMs + 9500);
  expect(more?.page).toMatchObject({ id: back?.page.id, goesOn: true });
});

it('does so too where nobody was there to hear that it was left', () => {
  const { visit } = first();
  // The event comes a little after the page's return.
  const requests = [makeEntry(), makeEntry({ startTime: 8990, responseEnd: 9030 })];
  const back = visited(tabId, makeReading({ requests }), { ...visit, isAway: true }, startMs + 9000);
  expect(back?.page.requests).toEqual(requests.slice(1));
});
