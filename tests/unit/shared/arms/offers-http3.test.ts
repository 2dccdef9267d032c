import { describe, expect, it } from 'vitest';
import { offersHttp3 } from '../../../../shared/arms/offers-http3.ts';

describe('offersHttp3', () => {
  it('takes the header that Caddy sends', () => {
    expect(offersHttp3(new URL('https://example.org'), 'h3=":443"; ma=2592000')).toBe(true);
    expect(offersHttp3(new URL('https://example.org:8443'), 'h3=":8443"; ma=2592000')).toBe(true);
  });

  it('finds h3 among other alternatives, as RFC 7838 lists them', () => {
    expect(
      offersHttp3(new URL('https://example.org'), 'h2="alt.example.com:8000", h3=":443"; ma=86400'),
    ).toBe(true);
  });

  it('does not take another port or host, where the browser could not be sent at once', () => {
    expect(offersHttp3(new URL('https://example.org'), 'h3=":4433"')).toBe(false);
    expect(offersHttp3(new URL('https://example.org'), 'h3="other.example:443"')).toBe(false);
  });

  it('does not take drafts, other protocols or "clear"', () => {
    expect(offersHttp3(new URL('https://example.org'), 'h3-29=":443"')).toBe(false);
    expect(offersHttp3(new URL('https://example.org'), 'h2=":443"')).toBe(false);
    expect(offersHttp3(new URL('https://example.org'), 'clear')).toBe(false);
  });
});
