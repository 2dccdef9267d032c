import type { PageObserved } from '../../../../shared/messages/recorder-messages.ts';
import { makeEntry } from './make-entry.ts';

/** When the page of {@link makeMessage} began to load, ms since the epoch. */
export const startMs = Date.parse('2026-03-01T12:00:00.000Z');

/** A recorder's first word about a page: its document over h2, no other request yet. */
export function makeMessage(change: Partial<PageObserved> = {}): PageObserved {
  return {
    type: 'page-observed',
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
    from: 0,
    entries: [],
    truncated: false,
    ...change,
  };
}
