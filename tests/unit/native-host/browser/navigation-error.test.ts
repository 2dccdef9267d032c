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
    ['unknown error NS_ERROR_UNKNOWN_HOST', 'name-not-resolved'],
    ['unknown error NS_ERROR_CONNECTION_REFUSED', 'host-unreachable'],
    ['unknown error SEC_ERROR_UNKNOWN_ISSUER', 'certificate-invalid'],
    ['unknown error MOZILLA_PKIX_ERROR_SELF_SIGNED_CERT', 'certificate-invalid'],
    ['unknown error SSL_ERROR_NO_CYPHER_OVERLAP', 'protocol-refused'],
    ['unknown error NS_ERROR_NET_HTTP3_PROTOCOL_ERROR', 'protocol-refused'],
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
