import type { DebuggingEvent } from '../browser/network-log.ts';

interface ResponseEvent {
  response: { url: string; headers: Record<string, string> };
}

/** The last `Alt-Svc` header of every origin that sent one, by origin (`https://host` or `https://host:port`). */
export function altSvcByOrigin(events: readonly DebuggingEvent[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { method, params } of events) {
    if (method !== 'Network.responseReceived') continue;
    const { url, headers } = (params as ResponseEvent).response;
    if (!url.startsWith('https:')) continue;
    const value = Object.entries(headers).find(([name]) => name.toLowerCase() === 'alt-svc')?.[1];
    if (value !== undefined) found[new URL(url).origin] = value;
  }
  return found;
}

/**
 * Whether an `Alt-Svc` value (RFC 7838) offers HTTP/3 on the origin's own host and port: only then can the
 * browser be sent there over QUIC at once.
 */
export function offersHttp3(origin: string, altSvc: string): boolean {
  const { hostname, port } = new URL(origin);
  const ownPort = port === '' ? '443' : port;
  return altSvc.split(',').some((alternative) => {
    const [, host, altPort] = /^\s*h3\s*=\s*"([^":]*):(\d+)"/.exec(alternative) ?? [];
    return altPort === ownPort && (host === '' || host === hostname);
  });
}
