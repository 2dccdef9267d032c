import { describe, expect, it } from 'vitest';
import { readEntry } from '../../../../extension/recorder/read-entry.ts';
import { makeEntry } from './make-entry.ts';

describe('as Resource Timing defines its fields', () => {
  it('reads a response over the network', () => {
    expect(readEntry(makeEntry(), 4)).toEqual({
      url: 'https://example.org/a.png',
      initiator: 'img',
      source: 'network',
      protocol: 'h2',
      startMs: 6,
      endMs: 26,
      transferBytes: 1300,
      newConnection: false,
      status: 200,
    });
  });

  it('sees that a connection was opened for it', () => {
    expect(readEntry(makeEntry({ connectStart: 11, connectEnd: 19 }), 0).newConnection).toBe(true);
  });

  // transferSize: "0" for the local cache, "300" where the cached response was validated.
  it('tells the cache, and its old protocol is not taken for this load’s', () => {
    const cached = makeEntry({ transferSize: 0, nextHopProtocol: 'h3' });
    expect(readEntry(cached, 0)).toMatchObject({ source: 'cache', protocol: null, transferBytes: 0 });
    const told = makeEntry({ deliveryType: 'cache', transferSize: 0, encodedBodySize: 0 });
    expect(readEntry(told, 0).source).toBe('cache');
  });

  it('tells a revalidation, which did use the network', () => {
    const validated = makeEntry({ transferSize: 300, encodedBodySize: 90_000 });
    expect(readEntry(validated, 0)).toMatchObject({
      source: 'revalidated',
      protocol: 'h2',
      transferBytes: 300,
    });
  });

  it('tells a service worker', () => {
    expect(readEntry(makeEntry({ workerStart: 5, transferSize: 0 }), 0)).toMatchObject({
      source: 'service-worker',
      protocol: null,
      transferBytes: null,
    });
  });

  // Without Timing-Allow-Origin these are 0 or empty.
  it('knows nothing of what is hidden, instead of counting it as nothing', () => {
    const hidden = makeEntry({
      nextHopProtocol: '',
      connectStart: 0,
      connectEnd: 0,
      requestStart: 0,
      transferSize: 0,
      encodedBodySize: 0,
      responseStatus: 0,
    });
    expect(readEntry(hidden, 0)).toMatchObject({
      source: 'hidden',
      protocol: null,
      transferBytes: null,
      newConnection: null,
      status: null,
    });
  });
});

it.each([
  ['https://user:secret@example.org/a?token=1#b', 'https://example.org/a'],
  ['http://example.org:8080/', 'http://example.org:8080/'],
  ['data:image/gif;base64,R0lG', 'data:'],
  ['not an address', ''],
])('keeps of %s only what names the resource', (name, url) => {
  expect(readEntry(makeEntry({ name }), 0).url).toBe(url);
});
