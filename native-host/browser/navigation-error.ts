import type { ErrorCode } from '../../shared/errors/error-codes.ts';
import { TowlineError } from '../../shared/errors/towline-error.ts';

/** The browsers' names of errors, in the order they are looked for, with what they mean to a person. */
const known: readonly (readonly [pattern: RegExp, code: ErrorCode, what: string, remedy: string])[] = [
  [
    /ERR_NAME_NOT_RESOLVED|ERR_NAME_RESOLUTION|NS_ERROR_UNKNOWN_HOST/,
    'name-not-resolved',
    'its name has no address',
    'Check the spelling of the address and that this machine is online.',
  ],
  [
    /ERR_CERT|ERR_SSL_SERVER_CERT|ERR_BAD_SSL_CLIENT|^SEC_ERROR_|^MOZILLA_PKIX_ERROR_|SSL_ERROR_BAD_CERT/,
    'certificate-invalid',
    'its certificate is not valid',
    'Open it in a browser to see why; for a private authority, trust its certificate in your browser first.',
  ],
  [
    /ERR_QUIC|ERR_HTTP2|ERR_SSL|ERR_ALPN|ERR_TUNNEL|^SSL_ERROR_|NS_ERROR_NET_(HTTP[23]|QUIC|INTERRUPT|INADEQUATE)/,
    'protocol-refused',
    'the server refused this protocol or broke it off',
    'Compare without this arm: the server seems not to speak it.',
  ],
  [
    /ERR_CONNECTION_REFUSED|ERR_ADDRESS_UNREACHABLE|ERR_CONNECTION_TIMED_OUT|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_RESET|ERR_CONNECTION_CLOSED|ERR_NETWORK_CHANGED|ERR_TIMED_OUT|ERR_NETWORK_ACCESS_DENIED|ERR_EMPTY_RESPONSE|NS_ERROR_(CONNECTION_REFUSED|NET_TIMEOUT|NET_RESET|NET_EMPTY_RESPONSE|OFFLINE|HOST_UNREACHABLE)/,
    'host-unreachable',
    'the server does not answer',
    'Check the address and the port, and that the server is up and reachable from here.',
  ],
];

/** Chromium's `net::ERR_*`; Firefox's `NS_ERROR_*` and, from its TLS library, the rest. */
const errorName = /net::ERR_\w+|\b(?:NS_ERROR|SEC_ERROR|SSL_ERROR|MOZILLA_PKIX_ERROR)_\w+/;

/** What the browser threw when a page did not load, as an error for a person. */
export function navigationError(url: string, thrown: unknown, timeoutMs: number): TowlineError {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof Error && thrown.name === 'TimeoutError') {
    return new TowlineError(
      'load-timeout',
      'trial',
      `${url} did not fire its load event within ${timeoutMs / 1000} s.`,
      {
        remedy:
          'The page may keep a request open for ever; give it longer with --timeout, or compare another page.',
        cause: thrown,
      },
    );
  }
  const netError = errorName.exec(text)?.[0].replace('net::', '') ?? null;
  const found = known.find(([pattern]) => pattern.test(netError ?? ''));
  if (found && netError !== null) {
    const [, code, what, remedy] = found;
    return new TowlineError(code, 'trial', `${url} could not be loaded: ${what} (${netError}).`, {
      remedy,
      cause: thrown,
    });
  }
  return new TowlineError('navigation-failed', 'trial', `${url} could not be loaded: ${netError ?? text}.`, {
    cause: thrown,
  });
}
