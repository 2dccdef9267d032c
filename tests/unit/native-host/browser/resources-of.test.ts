import { describe, expect, it } from 'vitest';
import { resourcesOf } from '../../../../native-host/browser/resources-of.ts';

/** Events in the form of the Chrome DevTools Protocol, cut down to the fields that are read. */
const sent = (requestId: string, url: string, timestamp: number, extra: object = {}) => ({
  method: 'Network.requestWillBeSent',
  params: {
    requestId,
    timestamp,
    wallTime: 1_700_000_000 + timestamp,
    type: 'Image',
    request: { url },
    ...extra,
  },
});
const response = (requestId: string, timing: object | null, extra: object = {}) => ({
  method: 'Network.responseReceived',
  params: {
    requestId,
    response: { protocol: 'h2', status: 200, remoteIPAddress: '10.0.0.1', connectionId: 7, timing, ...extra },
  },
});
const finished = (requestId: string, timestamp: number, encodedDataLength: number) => ({
  method: 'Network.loadingFinished',
  params: { requestId, timestamp, encodedDataLength },
});

/** Marks as Chromium gives them: ms since requestTime, -1 for what did not happen. */
const timing = {
  requestTime: 10.001,
  dnsStart: 0,
  dnsEnd: 2,
  connectStart: 2,
  sslStart: 12,
  sslEnd: 32,
  connectEnd: 32,
  sendStart: 33,
  sendEnd: 34,
  receiveHeadersEnd: 54,
};
const origin = 1_700_000_010_000;

describe('resourcesOf', () => {
  it('splits a request on a new TCP connection into its phases', () => {
    const [resource] = resourcesOf(
      [sent('1', 'https://a.test/x', 10), response('1', timing), finished('1', 10.065, 1234)],
      origin,
    );
    expect(resource).toMatchObject({
      protocol: 'h2',
      status: 200,
      transferBytes: 1234,
      connectionId: '7',
      failure: null,
    });
    expect(resource?.startedAtMs).toBeCloseTo(0, 3);
    expect(resource?.endedAtMs).toBeCloseTo(65, 3);
    const { phases } = resource ?? { phases: null };
    expect(phases?.blockedMs).toBeCloseTo(1, 3);
    expect(phases).toMatchObject({ dnsMs: 2, connectMs: 10, tlsMs: 20, sendMs: 1, waitMs: 20 });
    expect(phases?.receiveMs).toBeCloseTo(10, 3);
  });

  it('counts the whole QUIC handshake as connecting, since TLS is part of it', () => {
    const quic = { ...timing, sslStart: 2, sslEnd: 32 };
    const [resource] = resourcesOf([sent('1', 'https://a.test/x', 10), response('1', quic)], origin);
    expect(resource?.phases).toMatchObject({ connectMs: 30, tlsMs: null });
  });

  it('has no connect phase on a connection that was there', () => {
    const reused = {
      ...timing,
      dnsStart: -1,
      dnsEnd: -1,
      connectStart: -1,
      connectEnd: -1,
      sslStart: -1,
      sslEnd: -1,
    };
    const [resource] = resourcesOf([sent('1', 'https://a.test/x', 10), response('1', reused)], origin);
    expect(resource?.phases).toMatchObject({ dnsMs: null, connectMs: null, tlsMs: null, waitMs: 20 });
  });

  it('makes a redirect a request of its own', () => {
    const resources = resourcesOf(
      [
        sent('1', 'https://a.test/', 10),
        sent('1', 'https://a.test/home', 10.1, {
          redirectResponse: {
            protocol: 'h2',
            status: 301,
            connectionId: 7,
            encodedDataLength: 200,
            timing: null,
          },
        }),
      ],
      origin,
    );
    expect(resources.map(({ url, status }) => [url, status])).toEqual([
      ['https://a.test/', 301],
      ['https://a.test/home', null],
    ]);
  });

  it('says why a request failed, and leaves out data: addresses', () => {
    const resources = resourcesOf(
      [
        sent('1', 'data:image/png;base64,AAAA', 10),
        sent('2', 'https://a.test/gone', 10),
        {
          method: 'Network.loadingFailed',
          params: { requestId: '2', timestamp: 10.2, errorText: 'net::ERR_ABORTED', canceled: true },
        },
      ],
      origin,
    );
    expect(resources).toHaveLength(1);
    expect(resources[0]).toMatchObject({
      failure: 'aborted (net::ERR_ABORTED)',
      transferBytes: null,
      bodyBytes: null,
    });
  });
});
