import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HostRelay, RelayEntrance, RelayTarget } from '../messaging/host-relay.ts';
import { openTunnel } from './open-tunnel.ts';

/** A browser opens 32 to one proxy. Source: Chromium's client_socket_pool_manager.cc. */
const mostConnections = 128;
/** For a request's head to arrive. */
const headTimeoutMs = 10_000;

export interface ConnectRelayOptions {
  /** Called for every tunnel that the relay has agreed to. */
  onTunnel: () => void;
}

/**
 * A proxy on 127.0.0.1 that answers CONNECT to one host and port, to whoever knows its secret, and refuses all else:
 * HTTP/3 has no way through it, and nobody else has any use for it. What goes through is the browser's own TLS.
 *
 * Source: RFC 9110, 9.3.6 (CONNECT) and 11.7 (Proxy-Authorization); RFC 7617 (Basic).
 */
export class ConnectRelay implements HostRelay {
  readonly #options: ConnectRelayOptions;
  readonly #sockets = new Set<Duplex>();
  #server: Server | null = null;

  constructor(options: ConnectRelayOptions) {
    this.#options = options;
  }

  async start(target: RelayTarget): Promise<RelayEntrance> {
    await this.stop();
    const secret = randomBytes(32).toString('base64url');
    const server = createServer({ headersTimeout: headTimeoutMs, requestTimeout: headTimeoutMs });
    server.maxConnections = mostConnections;
    server.on('connection', (socket: Socket) => {
      this.#keep(socket);
    });
    server.on('request', (_request, response) => {
      response.writeHead(405, { allow: 'CONNECT', connection: 'close' }).end();
    });
    server.on('connect', ({ url, headers }, client, head) => {
      // Nobody hears of what a client does that is being refused.
      client.on('error', () => client.destroy());
      if (!isSecret(headers['proxy-authorization'], secret)) refuse(client, unauthorized);
      else if (url?.toLowerCase() !== `${target.host}:${target.port}`) refuse(client, forbidden);
      else {
        this.#options.onTunnel();
        this.#keep(openTunnel(target, client, head));
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
    return { port: (server.address() as AddressInfo).port, secret };
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #keep(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }
}

const unauthorized = [
  'HTTP/1.1 407 Proxy Authentication Required',
  'Proxy-Authenticate: Basic realm="Towline relay", charset="UTF-8"',
];
const forbidden = ['HTTP/1.1 403 Forbidden'];

function refuse(client: Duplex, lines: readonly string[]): void {
  client.end([...lines, 'Content-Length: 0', 'Connection: close', '', ''].join('\r\n'));
}

/** Compared by digests, so that neither the time taken nor the length tells anything of the secret. */
function isSecret(authorization: string | undefined, secret: string): boolean {
  const [scheme = '', credentials = ''] = (authorization ?? '').split(' ');
  if (scheme.toLowerCase() !== 'basic') return false;
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(credentials, 'base64').toString()) ?? [];
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(password), digest(secret));
}
