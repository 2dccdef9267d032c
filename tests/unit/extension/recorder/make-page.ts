import type { PageObserved } from '../../../../extension/recorder/page-visit.ts';
import { makeEntry } from './make-entry.ts';

/** When the page of {@link makePage} began to load, ms since the epoch. */
export const startMs = Date.parse('2026-03-01T12:00:00.000Z');

/** The first that a page tells: its document over h2, no other request yet. */
export function makePage(change: Partial<PageObserved> = {}): PageObserved {
  return {
    id: 'page-1',
    url: 'https://example.org/?q=secret',
    timeOriginMs: startMs,
    wallOriginMs: startMs,
    sinceMs: 0,
    kind: 'navigate',
    document: makeEntry({ name: 'https://example.org/?q=secret', initiatorType: 'navigation' }),
    domContentLoadedEventEnd: 40,
    loadEventEnd: 0,
    activationStart: 0,
    requests: [],
    goesOn: false,
    ...change,
  };
}
