import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { BidiNetworkLog } from '../../../../native-host/browser/bidi-network-log.ts';
import type { BidiEvent } from '../../../../native-host/browser/bidi-transport.ts';
import { firefoxHar } from '../../../../native-host/browser/firefox-har.ts';
import { firefoxResources } from '../../../../native-host/browser/firefox-resources.ts';

/**
 * What Firefox ESR 153 sent by WebDriver BiDi while it loaded lab pages from Caddy: of each load a few requests,
 * with most of their header fields left out.
 */
async function recorded(arm: 'h1' | 'h3'): Promise<BidiEvent[]> {
  const file = new URL(`../../../fixtures/bidi/firefox-153-${arm}.json`, import.meta.url);
  return JSON.parse(await readFile(file, 'utf8')) as BidiEvent[];
}

function heard(events: readonly BidiEvent[]): BidiNetworkLog {
  const log = new BidiNetworkLog();
  for (const event of events) log.hear(event);
  return log;
}

/** The document's request time in each recording. */
const timeOrigin = { h1: 1795274984920.75, h3: 1795275093584.64 };

describe('what Firefox tells of a load over HTTP/1.1', () => {
  it('gives each request with type, protocol, status and sizes, and passes data: addresses over', async () => {
    const resources = firefoxResources(heard(await recorded('h1')).exchanges, timeOrigin.h1);
    expect(resources.map(({ url, type }) => [url.replace(/^.*\//, ''), type])).toEqual([
      ['', 'document'],
      ['style-1.css', 'stylesheet'],
      ['picture-1.png', 'image'],
    ]);
    for (const resource of resources) {
      expect(resource).toMatchObject({
        ...{ protocol: 'http/1.1', status: 200, bodyBytes: 10_630, fromCache: false, failure: null },
        ...{ serverAddress: null, connectionId: null },
      });
      // The response's head is 150 to 250 bytes here.
      expect(resource.transferBytes).toBeGreaterThan(10_630 + 150);
      expect(resource.transferBytes).toBeLessThan(10_630 + 250);
    }
  });

  it('takes the phases apart, and leaves out those that a request did not go through', async () => {
    const [document, style] = firefoxResources(heard(await recorded('h1')).exchanges, timeOrigin.h1);
    expect(document?.startedAtMs).toBeCloseTo(0, 0);
    const phases = document?.phases;
    for (const phase of [phases?.dnsMs, phases?.connectMs, phases?.tlsMs, phases?.waitMs]) {
      expect(phase).toBeGreaterThanOrEqual(0);
    }
    // It waited for the connection that the document was on.
    expect(style?.phases).toMatchObject({ dnsMs: null, connectMs: null, tlsMs: null });
    expect(style?.phases.blockedMs).toBeCloseTo(24.8, 0);
  });
});

it('counts the whole handshake of QUIC as connecting', async () => {
  const [document] = firefoxResources(heard(await recorded('h3')).exchanges, timeOrigin.h3);
  expect(document?.protocol).toBe('h3');
  expect(document?.phases.connectMs).toBeCloseTo(48.5, 0);
  expect(document?.phases.tlsMs).toBeNull();
});

describe('BidiNetworkLog', () => {
  it('is quiet only while no request is open', async () => {
    const events = await recorded('h3');
    const begun = events.filter(({ method }) => method === 'network.beforeRequestSent');
    const log = heard(begun);
    expect(log.quietForMs()).toBe(0);
    for (const event of events) log.hear(event);
    expect(log.exchanges).toHaveLength(2);
    expect(log.exchanges.every(({ endedAtEpochMs }) => endedAtEpochMs !== null)).toBe(true);
  });

  it('takes a redirect for a request of its own, and a failure for an end', async () => {
    const [before] = await recorded('h3');
    const params = before?.params as { request: object; redirectCount: number };
    const log = heard([
      { method: 'network.beforeRequestSent', params },
      { method: 'network.beforeRequestSent', params: { ...params, redirectCount: 1 } },
      {
        method: 'network.fetchError',
        params: { ...params, redirectCount: 1, timestamp: 1795275093999, errorText: 'NS_BINDING_ABORTED' },
      },
    ]);
    const [first, second] = firefoxResources(log.exchanges, timeOrigin.h3);
    expect(first).toMatchObject({ failure: null, endedAtMs: null, transferBytes: null, protocol: null });
    expect(second).toMatchObject({ failure: 'aborted (NS_BINDING_ABORTED)' });
    expect(log.quietForMs()).toBe(0);
  });
});

it('writes a HAR of the same requests, with times that add up', async () => {
  const { exchanges } = heard(await recorded('h1'));
  const { log } = firefoxHar(exchanges, { url: 'https://lab/', browserVersion: '153.7.0' });
  expect(log.version).toBe('1.2');
  expect(log.entries.map(({ request }) => request.url)).toEqual(
    firefoxResources(exchanges, timeOrigin.h1).map(({ url }) => url),
  );
  for (const { time, timings, response } of log.entries) {
    const { blocked = -1, dns = -1, connect = -1, send = 0, wait, receive } = timings;
    const sum = [blocked, dns, connect, send, wait, receive].reduce((all, one) => all + Math.max(0, one), 0);
    // HAR 1.2: time is the sum of all timings that are not -1; ssl is part of connect.
    expect(time).toBeCloseTo(sum, 6);
    expect(response.content.size).toBe(10_630);
  }
});
