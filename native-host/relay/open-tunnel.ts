import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RelayTarget } from '../messaging/host-relay.ts';

/** A browser gives up a connection after four minutes; a person long before. */
const connectTimeoutMs = 30_000;

/**
 * Joins a client that has asked for it to the target, both ways, until either has closed. A target that cannot be
 * reached is told to the client as 502, one that does not answer as 504.
 *
 * @param head what the client has sent behind its request
 * @returns the connection to the target; destroying either end ends both
 */
export function openTunnel({ host, port }: RelayTarget, client: Duplex, head: Buffer): Socket {
  const upstream = connect({ host: host.replace(/^\[(.*)\]$/, '$1'), port, noDelay: true });
  let joined = false;
  upstream.setTimeout(connectTimeoutMs, () => {
    client.end(answer('504 Gateway Timeout'));
    upstream.destroy();
  });
  upstream.once('connect', () => {
    joined = true;
    upstream.setTimeout(0);
    client.write(answer('200 Connection Established'));
    if (head.length > 0) upstream.write(head);
    client.pipe(upstream).pipe(client);
  });
  upstream.on('error', () => {
    if (joined) client.destroy();
    else client.end(answer('502 Bad Gateway'));
  });
  client.once('close', () => upstream.destroy());
  return upstream;
}

function answer(status: string): string {
  return `HTTP/1.1 ${status}\r\n\r\n`;
}
