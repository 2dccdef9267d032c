import { expect, it } from 'vitest';
import * as v from 'valibot';
import { observationOf } from '../../../../extension/recorder/observation-of.ts';
import type { PageObserved } from '../../../../extension/recorder/page-visit.ts';
import { ObservationSchema } from '../../../../shared/record/observation.ts';
import { makeEntry } from './make-entry.ts';
import { makePage, startMs } from './make-page.ts';

const page = (change: Partial<PageObserved> = {}) =>
  makePage({ requests: [named('1'), named('2')], ...change });

const named = (name: string) => makeEntry({ name: `https://example.org/${name}` });
const paths = (requests: readonly { url: string }[] = []) => requests.map(({ url }) => url.slice(-1));

it('makes a record that its schema takes, without the query', () => {
  const observation = observationOf(page(), null, []);
  expect(v.safeParse(ObservationSchema, observation).issues).toBeUndefined();
  expect(observation).toMatchObject({
    url: 'https://example.org/',
    queryCut: true,
    startedAt: '2026-03-01T12:00:00.000Z',
    kind: 'load',
    domContentLoadedMs: 40,
    loadEventMs: null,
  });
  expect(JSON.stringify(observation)).not.toContain('secret');
});

it('adds what comes later', () => {
  const before = observationOf(page(), null, []);
  const after = observationOf(page({ goesOn: true, requests: [named('3')], loadEventEnd: 90 }), before, []);
  expect(paths(after?.requests)).toEqual(['1', '2', '3']);
  expect(after?.loadEventMs).toBe(90);
});

it('takes what was told twice once', () => {
  const before = observationOf(page(), null, []);
  const again = observationOf(page({ requests: [named('1'), named('2'), named('3')] }), before, []);
  expect(paths(again?.requests)).toEqual(['1', '2', '3']);
  // One that an earlier one overtook.
  expect(paths(observationOf(page({ requests: [named('1')] }), again, [])?.requests)).toEqual([
    '1',
    '2',
    '3',
  ]);
});

it('counts two requests of one address and time as two, however often they are told', () => {
  const twice = observationOf(page({ requests: [named('1'), named('1')] }), null, []);
  expect(paths(twice?.requests)).toEqual(['1', '1']);
  const again = observationOf(page({ requests: [named('1'), named('1'), named('2')] }), twice, []);
  expect(paths(again?.requests)).toEqual(['1', '1', '2']);
});

it('takes nothing from a page that says it is what another site’s page is stored as', () => {
  const before = observationOf(page(), null, []);
  expect(observationOf(page({ url: 'https://evil.example/' }), before, [])).toBeNull();
});

it('keeps the address that was loaded where the page changes it', () => {
  const before = observationOf(page(), null, []);
  expect(observationOf(page({ url: 'https://example.org/route' }), before, [])?.url).toBe(before?.url);
});

it('does not go on with a page that was erased', () => {
  expect(observationOf(page({ goesOn: true, requests: [named('3')] }), null, [])).toBeNull();
});

it('keeps addresses of the page’s own origins, from its time, each once', () => {
  const seen = (origin: string, address: string, atMs: number) => ({ origin, address, atMs });
  const observation = observationOf(page(), null, [
    seen('https://example.org', '192.0.2.1', startMs - 1),
    seen('https://example.org', '192.0.2.2', startMs + 1),
    seen('https://example.org', '192.0.2.2', startMs + 2),
    seen('https://elsewhere.example', '192.0.2.3', startMs + 1),
  ]);
  expect(observation?.servers).toEqual([{ origin: 'https://example.org', addresses: ['192.0.2.2'] }]);
});

it('counts the time of a page shown again from when it was shown', () => {
  const observation = observationOf(
    page({ kind: 'bfcache', sinceMs: 5000, document: null, requests: [makeEntry({ startTime: 5010 })] }),
    null,
    [],
  );
  expect(observation).toMatchObject({
    kind: 'bfcache',
    startedAt: '2026-03-01T12:00:05.000Z',
    document: null,
  });
  expect(observation?.requests[0]?.startMs).toBe(10);
});
