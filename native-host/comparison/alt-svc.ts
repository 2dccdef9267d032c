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
