import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { pacScript } from '../../../../extension/background/pac-script.ts';

/** What a browser is told for each of these, which asks with path and query left out. */
function ask(script: string, urls: readonly string[]): unknown[] {
  return urls.map((url): unknown =>
    runInNewContext(`${script}; FindProxyForURL(url, host)`, { url, host: new URL(url).hostname }),
  );
}

const relay = 'PROXY 127.0.0.1:40123';

it('sends one origin to the relay without a way around it, and everything else direct', () => {
  expect(
    ask(pacScript('https://example.org', 40_123), [
      'https://example.org/',
      'https://example.org:8443/',
      'https://www.example.org/',
      'https://example.org.evil.test/',
      'https://other.test/',
      'http://example.org/',
    ]),
  ).toEqual([relay, 'DIRECT', 'DIRECT', 'DIRECT', 'DIRECT', 'DIRECT']);
  expect(
    ask(pacScript('https://[2001:db8::1]:8443', 40_123), [
      'https://[2001:db8::1]:8443/',
      'https://[2001:db8::1]/',
    ]),
  ).toEqual([relay, 'DIRECT']);
});

it('runs nothing of what it is given', () => {
  const script = pacScript('https://x/") === 0 || true ? "PROXY evil.test:1" : ("', 40_123);
  expect(ask(script, ['https://x/', 'https://example.org/'])).toEqual(['DIRECT', 'DIRECT']);
});
