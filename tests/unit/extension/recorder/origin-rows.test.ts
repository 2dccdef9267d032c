import { expect, it } from 'vitest';
import { originRows } from '../../../../extension/recorder/origin-rows.ts';
import { readEntry } from '../../../../extension/recorder/read-entry.ts';
import { makeEntry } from './make-entry.ts';

const request = (fields: Parameters<typeof makeEntry>[0]) => readEntry(makeEntry(fields), 0);
const hidden = { nextHopProtocol: '', requestStart: 0, transferSize: 0, encodedBodySize: 0 };

it('has a line for each origin and protocol, the page’s own first, then the busiest', () => {
  const document = request({
    name: 'https://example.org/',
    transferSize: 500,
    connectStart: 1,
    connectEnd: 2,
  });
  const rows = originRows(document, [
    request({ name: 'https://cdn.example/1', nextHopProtocol: 'h3' }),
    request({ name: 'https://cdn.example/2', nextHopProtocol: 'h3' }),
    request({ name: 'https://cdn.example/3', nextHopProtocol: 'h2' }),
    request({ name: 'https://example.org/a' }),
    request({ name: 'https://example.org/b', transferSize: 0 }),
    request({ name: 'https://third.example/', ...hidden }),
  ]);
  const line = (origin: string, protocol: string | null, reason: string | null, ...numbers: unknown[]) => ({
    origin,
    protocol,
    reason,
    requests: numbers[0],
    transferBytes: numbers[1],
    connections: numbers[2],
  });
  expect(rows).toEqual([
    line('https://example.org', 'h2', null, 2, 1800, 1),
    line('https://example.org', null, 'cache', 1, 0, 0),
    line('https://cdn.example', 'h3', null, 2, 2600, 0),
    line('https://cdn.example', 'h2', null, 1, 1300, 0),
    line('https://third.example', null, 'hidden', 1, null, null),
  ]);
});

it('has none for a page shown again from memory', () => {
  expect(originRows(null, [])).toEqual([]);
});
