/**
 * Whether an `Alt-Svc` value (RFC 7838) offers HTTP/3 on the origin's own host and port: only then can the
 * browser be sent there over QUIC at once.
 * @param origin a URL, or what of one is looked at; the port is empty for 443
 */
export function offersHttp3(origin: { hostname: string; port: string }, altSvc: string): boolean {
  const { hostname, port } = origin;
  const ownPort = port === '' ? '443' : port;
  return altSvc.split(',').some((alternative) => {
    const [, host, altPort] = /^\s*h3\s*=\s*"([^":]*):(\d+)"/.exec(alternative) ?? [];
    return altPort === ownPort && (host === '' || host === hostname);
  });
}
