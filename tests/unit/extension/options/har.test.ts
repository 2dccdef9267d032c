import { expect, it } from 'vitest';
import { harOf } from '../../../../extension/options/har.ts';
import { makeRecord } from '../../../fixtures/record/make-record.ts';

const record = makeRecord();
const har = harOf(record, record.trials);

it('has a page per load and an entry per request, in the order in which they started', () => {
  expect(har.log.version).toBe('1.2');
  expect(har.log.pages?.map(({ id }) => id)).toEqual(record.trials.map(({ index }) => `load-${index + 1}`));
  const requests = record.trials.flatMap(({ resources }) => resources);
  expect(har.log.entries).toHaveLength(requests.length);
  expect(har.log.entries.map(({ request }) => request.url).sort()).toEqual(
    requests.map(({ url }) => url).sort(),
  );
  const first = har.log.entries.filter(({ pageref }) => pageref === 'load-1');
  const starts = first.map(({ startedDateTime }) => Date.parse(startedDateTime));
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
});

/** HAR 1.2, "timings": -1 where a phase does not apply; ssl is part of connect; the sum is the entry's time. */
it('adds up as the specification says', () => {
  for (const { time, timings } of har.log.entries) {
    const { ssl = -1, ...others } = timings;
    const phases = Object.values(others).filter((ms) => typeof ms === 'number');
    expect(phases).toHaveLength(6);
    for (const phase of [...phases, ssl]) expect(phase === -1 || phase >= 0).toBe(true);
    if (ssl !== -1) expect(timings.connect).toBeGreaterThanOrEqual(ssl);
    expect(time).toBeCloseTo(
      phases.filter((phase) => phase !== -1).reduce((sum, phase) => sum + phase, 0),
      9,
    );
  }
});

it('says what is not known by -1, not by 0', () => {
  const [trial] = record.trials;
  const [resource] = trial?.resources ?? [];
  if (!trial || !resource) throw new Error('The synthetic record has loads with requests.');
  const phases = {
    blockedMs: null,
    dnsMs: null,
    connectMs: null,
    tlsMs: null,
    sendMs: null,
    waitMs: null,
    receiveMs: null,
  };
  const failed = { ...resource, phases, status: null, failure: 'net::ERR_FAILED', bodyBytes: null };
  const odd = { ...trial, navigation: null, loadTimeMs: null, resources: [failed] };
  const { pages, entries } = harOf(record, [odd]).log;
  expect(pages?.[0]?.pageTimings).toEqual({ onContentLoad: -1, onLoad: -1 });
  expect(entries[0]?.timings).toEqual({
    blocked: -1,
    dns: -1,
    connect: -1,
    ssl: -1,
    send: -1,
    wait: -1,
    receive: -1,
  });
  expect(entries[0]?.response).toMatchObject({ status: 0, statusText: 'net::ERR_FAILED' });
  expect(entries[0]?.response.content.size).toBe(-1);
});
