import { expect, it } from 'vitest';
import { relayTarget } from '../../../../extension/background/relay-target.ts';

it.each([
  ['https://example.org/a?b#c', { host: 'example.org', port: 443 }],
  ['https://user@EXAMPLE.org:8443/', { host: 'example.org', port: 8443 }],
  ['https://bücher.example/', { host: 'xn--bcher-kva.example', port: 443 }],
  ['https://[2001:db8::1]/', { host: '[2001:db8::1]', port: 443 }],
  ['https://localhost.example/', { host: 'localhost.example', port: 443 }],
])('takes %s as %o', (url, target) => {
  expect(relayTarget(url)).toEqual(target);
});

// Those of Chromium's net/docs/proxy.md, "Implicit bypass rules".
it.each([
  'http://example.org/',
  'https://localhost/',
  'https://a.localhost:8443/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://[::1]/',
  'https://169.254.1.1/',
  'https://[fe80::1]/',
])('refuses %s, which no proxy could keep from HTTP/3', (url) => {
  expect(() => relayTarget(url)).toThrow(expect.objectContaining({ code: 'bad-url' }));
});
