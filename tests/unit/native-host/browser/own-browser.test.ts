import { describe, expect, it } from 'vitest';
import { ownBrowser } from '../../../../native-host/browser/own-browser.ts';
import type { OwnAnswer, OwnCall, OwnRequest } from '../../../../shared/messages/own-browser.ts';

const url = 'https://example.org/';
const request: OwnRequest = {
  url,
  type: 'document',
  protocol: 'h2',
  status: 200,
  askedAt: 1_000_010,
  dnsStart: 1_000_011,
  dnsEnd: 1_000_013,
  connectStart: 1_000_013,
  tlsStart: 1_000_033,
  connectEnd: 1_000_063,
  requestStart: 1_000_064,
  responseStart: 1_000_104,
  endedAt: 1_000_110,
  transferBytes: 1200,
  bodyBytes: 1000,
  serverAddress: '192.0.2.1',
  localPort: 50_000,
  fromCache: false,
  failure: null,
};

function answering(answers: Partial<Record<OwnCall['verb'], OwnAnswer>>) {
  const asked: OwnCall[] = [];
  const browser = ownBrowser({
    version: '153.0',
    arm: 'h3',
    http3Origins: ['example.org:443'],
    ask: (call) => {
      asked.push(call);
      return Promise.resolve(answers[call.verb] ?? { type: 'begun' });
    },
  });
  return { browser, asked };
}

const failed = (
  code: 'navigation-failed' | 'load-timeout' | 'own-browser-lost',
  message: string,
): OwnAnswer => ({
  type: 'failed',
  error: { code, stage: 'browser', message, remedy: null },
});

describe("the person's own browser, as a trial's", () => {
  it('is asked for the three steps, and tells requests as a managed browser does', async () => {
    const account = { requests: [request], altSvc: { 'https://example.org': 'h3=":443"' } };
    const { browser, asked } = answering({
      load: { type: 'loaded', navigation: null },
      finish: { type: 'finished', account },
    });
    await browser.makeReady();
    expect(await browser.load(url, 60_000)).toBeNull();
    const told = await browser.settle(() => 0);
    expect(asked).toEqual([
      { verb: 'begin', arm: 'h3', http3Origins: ['example.org:443'] },
      { verb: 'load', url, timeoutMs: 60_000 },
      { verb: 'finish' },
    ]);
    expect(told.clientPorts).toEqual([50_000]);
    expect(told.altSvc()).toEqual(account.altSvc);
    expect(told.resources(1_000_000)).toEqual([
      {
        ...{ url, type: 'document', protocol: 'h2', status: 200, startedAtMs: 10, endedAtMs: 110 },
        phases: {
          ...{ blockedMs: 1, dnsMs: 2, connectMs: 20, tlsMs: 30, sendMs: null, waitMs: 40, receiveMs: 6 },
        },
        ...{ transferBytes: 1200, bodyBytes: 1000, serverAddress: '192.0.2.1', connectionId: '50000' },
        ...{ fromCache: false, failure: null },
      },
    ]);
  });

  it("gives Firefox's reasons the meaning that they have in a managed browser", async () => {
    const { browser } = answering({
      load: failed('navigation-failed', 'about:blank could not be loaded: NS_ERROR_CONNECTION_REFUSED.'),
    });
    expect(await browser.load(url, 60_000)).toMatchObject({
      code: 'host-unreachable',
      message: `${url} could not be loaded: the server does not answer (NS_ERROR_CONNECTION_REFUSED).`,
    });
    const late = answering({ load: failed('load-timeout', 'Late.') });
    expect(await late.browser.load(url, 60_000)).toMatchObject({ code: 'load-timeout' });
  });

  it('fails where the browser is gone or answers out of turn: that is no fault of the page', async () => {
    const gone = answering({ load: failed('own-browser-lost', 'The tab was closed.') });
    await expect(gone.browser.load(url, 60_000)).rejects.toMatchObject({ code: 'own-browser-lost' });
    const confused = answering({ finish: { type: 'begun' } });
    await expect(confused.browser.settle(null)).rejects.toMatchObject({ code: 'bad-message' });
  });
});
