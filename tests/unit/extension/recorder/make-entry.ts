import type { TimingEntry } from '../../../../shared/messages/page-reading.ts';

/** The fields of Resource Timing, by name; the rest as for a small picture over a connection in use. */
export function makeEntry(fields: Partial<Record<keyof typeof defaults, number | string>> = {}): TimingEntry {
  return Object.values({ ...defaults, ...fields }) as TimingEntry;
}

const defaults = {
  name: 'https://example.org/a.png',
  initiatorType: 'img',
  nextHopProtocol: 'h2',
  startTime: 10,
  responseEnd: 30,
  connectStart: 10,
  connectEnd: 10,
  requestStart: 11,
  workerStart: 0,
  transferSize: 1300,
  encodedBodySize: 1000,
  deliveryType: '',
  responseStatus: 200,
};
