import { describe, expect, it } from 'vitest';
import { navigationError } from '../../../../native-host/browser/navigation-error.ts';

const url = 'https://a.test/';

describe('navigationError', () => {
  it.each([
    ['net::ERR_NAME_NOT_RESOLVED at https://a.test/', 'name-not-resolved'],
    ['net::ERR_CONNECTION_REFUSED at https://a.test/', 'host-unreachable'],
    ['net::ERR_CERT_AUTHORITY_INVALID at https://a.test/', 'certificate-invalid'],
    ['net::ERR_QUIC_PROTOCOL_ERROR at https://a.test/', 'protocol-refused'],
    ['net::ERR_SSL_PROTOCOL_ERROR at https://a.test/', 'protocol-refused'],
    ['net::ERR_FILE_NOT_FOUND at https://a.test/', 'navigation-failed'],
    ['Navigating frame was detached', 'navigation-failed'],
  ])('knows %s', (message, code) => {
    expect(navigationError(url, new Error(message), 60_000).code).toBe(code);
  });

  it('names the time a page was given', () => {
    const timeout = Object.assign(new Error('Navigation timeout'), { name: 'TimeoutError' });
    expect(navigationError(url, timeout, 60_000)).toMatchObject({
      code: 'load-timeout',
      message: 'https://a.test/ did not fire its load event within 60 s.',
    });
  });
});
