import type { PageReading, TimingEntry } from '../../../../shared/messages/page-reading.ts';
import { makeEntry } from './make-entry.ts';
import { startMs } from './make-page.ts';

/** What a page of one picture tells when it has loaded; `requests` in the place of that picture's. */
export function makeReading({
  requests = [makeEntry()],
  ...change
}: Partial<PageReading> & { requests?: TimingEntry[] } = {}): PageReading {
  const timeOriginMs = change.timeOriginMs ?? startMs;
  return {
    url: 'https://example.org/',
    timeOriginMs,
    wallMs: timeOriginMs + 100,
    atMs: 100,
    responseStart: 20,
    type: 'navigate',
    domContentLoadedEventEnd: 40,
    loadEventEnd: 90,
    activationStart: 0,
    entries: [makeEntry({ name: 'https://example.org/', initiatorType: 'navigation' }), ...requests],
    when: 'now',
    ...change,
  };
}
