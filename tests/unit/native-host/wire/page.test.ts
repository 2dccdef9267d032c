import { describe, expect, it } from 'vitest';
import type { HttpExchange } from '../../../../native-host/wire/http/http-exchange.ts';
import { Page, urlOf } from '../../../../native-host/wire/page.ts';

function exchange(authority: string | null, path: string | null, method = 'GET'): HttpExchange {
  return {
    ...{ streamId: 1, pushed: false, method, scheme: 'https', authority, path, status: 200 },
    ...{ requestFirstAtMs: 0, requestLastAtMs: 0, responseFirstAtMs: 1, responseLastAtMs: 1 },
    ...{ requestBytes: 1, responseBytes: 1, complete: true, reset: false, segments: [] },
  };
}

describe("with the browser's list of requests", () => {
  const page = new Page({
    requests: [
      { url: 'https://Example.org:443/a?b=c#part', wantedAtMs: 5 },
      { url: 'https://cdn.example.org/ü.png' },
    ],
    hosts: ['example.org', 'cdn.example.org', 'api.example.org'],
  });
  const has = (one: HttpExchange): boolean => page.hasRequest(one, 'https', null);

  it('a request is the page’s when the list names it, however it is written', () => {
    expect(has(exchange('example.org', '/a?b=c'))).toBe(true);
    expect(has(exchange('cdn.example.org:443', '/%C3%BC.png'))).toBe(true);
    expect(page.wantedAtMs(exchange('example.org', '/a?b=c'), 'https')).toBe(5);
  });

  it('others of the same host are not: favicons that the document names, what an extension loads', () => {
    expect(has(exchange('example.org', '/favicon.ico'))).toBe(false);
    expect(has(exchange('example.org', '/other'))).toBe(false);
  });

  it('preflights, and requests whose address could not be read, go by their host', () => {
    expect(has(exchange('api.example.org', '/v1', 'OPTIONS'))).toBe(true);
    expect(has(exchange('example.org', null))).toBe(true);
    expect(page.hasRequest(exchange(null, null), 'https', 'cdn.example.org')).toBe(true);
    expect(has(exchange('elsewhere.org', null))).toBe(false);
  });
});

describe('without a list', () => {
  const page = new Page({ requests: null, hosts: null });

  it('every request is the page’s but for those that browsers make by themselves', () => {
    expect(page.hasRequest(exchange('example.org', '/'), 'https', null)).toBe(true);
    expect(page.hasRequest(exchange('example.org', '/favicon.ico?v=2'), 'https', null)).toBe(false);
    expect(page.hasRequest(exchange('update.googleapis.com', '/service'), 'https', null)).toBe(false);
    expect(page.hasHost('firefox.settings.services.mozilla.com')).toBe(false);
    expect(page.hasHost(null)).toBe(true);
  });
});

it('takes the address of a request to a proxy as it stands', () => {
  expect(urlOf(exchange('example.org', 'http://example.org/a'), 'https')).toBe('http://example.org/a');
  expect(urlOf(exchange('example.org:8443', '/a'), 'https')).toBe('https://example.org:8443/a');
  expect(urlOf(exchange(null, '/a'), 'https')).toBeNull();
});
