import { expect, it } from 'vitest';
import { cameByWorker, loadQuestion, sharedWith } from '../../../../extension/recorder/load-question.ts';
import { observationOf, type SeenAddress } from '../../../../extension/recorder/observation-of.ts';
import { makeEntry } from './make-entry.ts';
import { makePage, startMs } from './make-page.ts';

const seen = (origin: string, address: string, atMs = startMs + 20): SeenAddress => ({
  origin,
  address,
  atMs,
});
const own = seen('https://example.org', '192.0.2.1');
const images = seen('https://images.example:8443', '[2001:db8::7]');

/** A page with a picture from another origin, whose load event came 90 ms after its beginning. */
function page(entry: Parameters<typeof makeEntry>[0] = {}) {
  const picture = makeEntry({ name: 'https://images.example:8443/1', ...entry });
  const observation = observationOf(makePage({ loadEventEnd: 90, requests: [picture] }), null, []);
  if (!observation) throw new Error('There is no observation.');
  return observation;
}

const asked = {
  fromMs: startMs,
  toMs: startMs + 90,
  servers: [
    { address: '192.0.2.1', port: 443 },
    { address: '2001:db8::7', port: 8443 },
  ],
};

it('asks about every server that answered since the load began', () => {
  const before = seen('https://before.example', '192.0.2.99', startMs - 1000);
  expect(loadQuestion(page(), startMs, [before, own, images], false)).toEqual(asked);
});

it('asks about each server once', () => {
  const coalesced = seen('https://other.example', '192.0.2.1');
  expect(loadQuestion(page(), startMs, [own, coalesced, images], false)).toEqual(asked);
});

it('does not ask where a server that the page used is not known', () => {
  expect(loadQuestion(page(), startMs, [own], true)).toBe('no-addresses');
});

it('takes a request that tells nothing for one that was not made only where every host is seen', () => {
  // Without Timing-Allow-Origin (Resource Timing, "cross-origin resources"), or blocked: both look like this.
  const hidden = page({ requestStart: 0, transferSize: 0, nextHopProtocol: '' });
  expect(loadQuestion(hidden, startMs, [own], false)).toBe('no-addresses');
  expect(loadQuestion(hidden, startMs, [own], true)).toMatchObject({ servers: [asked.servers[0]] });
});

it('says when a service worker answered, be it with the document alone', () => {
  const { document, requests } = page();
  expect(cameByWorker({ document, requests }, startMs, [images])).toBe(false);
  expect(cameByWorker(page({ workerStart: 5 }), startMs, [])).toBe(true);
  const answered = document && { ...document, source: 'service-worker' as const };
  expect(cameByWorker({ document: answered, requests }, startMs, [])).toBe(true);
});

it('takes what seems to come from the cache for a service worker’s, as in Firefox, where one has asked', () => {
  const cached = page({ transferSize: 0 });
  expect(cameByWorker(cached, startMs, [])).toBe(false);
  expect(cameByWorker(cached, startMs, [{ ...images, atMs: startMs - 1000 }])).toBe(false);
  expect(cameByWorker(cached, startMs, [images])).toBe(true);
});

it('does not ask about what was not encrypted, a redirect from http included', () => {
  const redirect = seen('http://example.org', '192.0.2.1');
  expect(loadQuestion(page(), startMs, [redirect, own, images], true)).toBe('in-the-clear');
});

it('does not ask where all came from the cache', () => {
  const cached = observationOf(
    makePage({ loadEventEnd: 90, document: makeEntry({ deliveryType: 'cache', transferSize: 0 }) }),
    null,
    [],
  );
  expect(cached && loadQuestion(cached, startMs, [], true)).toBe('no-packets');
});

it('knows when packets may be those of another tab, or of the next page', () => {
  const untilMs = startMs + 590;
  const elsewhere = seen('https://third.example', '192.0.2.1', startMs + 300);
  expect(sharedWith(asked, untilMs, [own, images], [])).toBeNull();
  expect(sharedWith(asked, untilMs, [own, images], [elsewhere])).toBe('shared');
  expect(sharedWith(asked, untilMs, [own], [{ ...elsewhere, atMs: startMs - 5000 }])).toBeNull();
  expect(sharedWith(asked, untilMs, [own], [{ ...elsewhere, address: '192.0.2.2' }])).toBeNull();
  const next = { ...own, atMs: startMs + 200, isDocument: true };
  expect(sharedWith(asked, untilMs, [own, next], [])).toBe('left');
  expect(sharedWith(asked, untilMs, [own, { ...next, atMs: startMs + 30 }], [])).toBeNull();
});
