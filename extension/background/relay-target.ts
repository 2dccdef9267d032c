import { TowlineError } from '../../shared/errors/towline-error.ts';

/** Where the relay is to lead. */
export interface RelayTarget {
  /** IPv6 in brackets. */
  host: string;
  port: number;
}

/**
 * The host and port of a page that can be kept from HTTP/3.
 * @throws TowlineError `bad-url` where there is nothing to keep it from, or no way to
 */
export function relayTarget(pageUrl: string): RelayTarget {
  const { origin, protocol, hostname, port } = new URL(pageUrl);
  if (protocol !== 'https:') {
    throw new TowlineError('bad-url', 'browser', `${origin} is not https, so it cannot come over HTTP/3.`);
  }
  if (isLocal(hostname)) {
    throw new TowlineError(
      'bad-url',
      'browser',
      `Chrome asks no proxy for ${hostname}, so the relay cannot get between.`,
      { remedy: 'Reach the server by another name.' },
    );
  }
  return { host: hostname, port: port === '' ? 443 : Number(port) };
}

/** Hosts that Chrome never sends to a proxy. Source: "Implicit bypass rules", Chromium's net/docs/proxy.md. */
function isLocal(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127\.[\d.]+|169\.254\.[\d.]+|\[::1\]|\[fe[89ab][\da-f]:.*\])$/.test(
    hostname,
  );
}
