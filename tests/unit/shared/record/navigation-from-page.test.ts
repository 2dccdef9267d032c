import { expect, test } from 'vitest';
import { navigationFromPage } from '../../../../shared/record/navigation-from-page.ts';

/** `toJSON` of the navigation entry of a page of this machine's loopback in Firefox ESR 153, some fields left out. */
const ofFirefox = {
  name: 'http://127.0.0.1:35337/',
  entryType: 'navigation',
  startTime: 0,
  duration: 49,
  nextHopProtocol: 'http/1.1',
  fetchStart: -8,
  domainLookupStart: 7,
  domainLookupEnd: 16,
  connectStart: 17,
  connectEnd: 17,
  secureConnectionStart: 0,
  requestStart: 17,
  responseStart: 19,
  responseEnd: 19,
  responseStatus: 200,
  domContentLoadedEventEnd: 48,
  loadEventStart: 48,
  loadEventEnd: 49,
};

test('takes the marks of the navigation entry, with null for those that are 0', () => {
  const told = { timeOrigin: 1e12, entry: ofFirefox, firstContentfulPaint: 44 };
  expect(navigationFromPage(told)).toEqual({
    timeOriginEpochMs: 1e12,
    nextHopProtocol: 'http/1.1',
    status: 200,
    domainLookupStartMs: 7,
    domainLookupEndMs: 16,
    connectStartMs: 17,
    secureConnectionStartMs: null,
    connectEndMs: 17,
    requestStartMs: 17,
    responseStartMs: 19,
    responseEndMs: 19,
    domContentLoadedMs: 48,
    loadEventStartMs: 48,
    loadEventEndMs: 49,
    firstContentfulPaintMs: 44,
  });
});

test('knows nothing but the time origin of a page without an entry', () => {
  const found = navigationFromPage({ timeOrigin: 1e12, firstContentfulPaint: null });
  const { timeOriginEpochMs, ...marks } = found ?? {};
  expect(timeOriginEpochMs).toBe(1e12);
  expect(new Set(Object.values(marks))).toEqual(new Set([null]));
});

test.each([
  ['no object', 'nothing'],
  ['no time origin', { entry: ofFirefox, firstContentfulPaint: null }],
  [
    'words for a mark',
    { timeOrigin: 1, entry: { ...ofFirefox, loadEventEnd: 'soon' }, firstContentfulPaint: null },
  ],
  [
    'half a status',
    { timeOrigin: 1, entry: { ...ofFirefox, responseStatus: 200.5 }, firstContentfulPaint: null },
  ],
])('trusts no page: %s', (_, told) => {
  expect(navigationFromPage(told)).toBeNull();
});
