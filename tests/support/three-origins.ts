import { createServer as createHttps } from 'node:https';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTrust } from './test-servers.ts';

/** What one origin's server saw. */
export interface OriginLog {
  origin: string;
  /** Paths asked for, each time it was asked for. */
  paths: string[];
  connections: number;
}

/** A page with 300 resources from three origins, and the servers' own log of it. */
export interface ThreeOrigins {
  /** HTTP/2, serves the page and a third of its resources. */
  own: OriginLog;
  /** HTTP/1.1, and lets everyone see its timings. */
  open: OriginLog;
  /** HTTP/2, without Timing-Allow-Origin. */
  hidden: OriginLog;
  /** The page's address; all of its resources arrive at once. */
  url: string;
  /** The same page, but half of its resources are held back until {@link release}. */
  heldUrl: string;
  /** The same page, which empties the browser's buffer of timings whenever that is full, as many pages do. */
  clearingUrl: string;
  /** The same page, but from its second load on a service worker makes all of its requests. */
  workedUrl: string;
  release(): void;
  /** Forgets what was asked, and ends every connection. */
  clear(): void;
  /** In this environment a browser trusts the servers' certificate. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

const perOrigin = 100;

/** The smallest picture that browsers take: 1 by 1, GIF. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** A service worker that asks the network for whatever its pages ask for, and the page's script that waits for it. */
const passingWorker = 'addEventListener("fetch", (event) => event.respondWith(fetch(event.request)));';
const registering = `<script>
  navigator.serviceWorker.register('worker.js');
  navigator.serviceWorker.ready.then(() => { document.title = 'There is a worker.'; });
</script>`;

interface Asked {
  path: string;
  respond(headers: Record<string, string>, body: string | Buffer): void;
}

export async function startThreeOrigins(): Promise<ThreeOrigins> {
  const directory = await mkdtemp(join(tmpdir(), 'origins-'));
  const { key, cert, home } = await makeTrust(directory);
  const held: (() => void)[] = [];
  let holding = true;
  const logs = ['own', 'open', 'hidden'].map((): OriginLog => ({ origin: '', paths: [], connections: 0 }));
  const [own, open, hidden] = logs as [OriginLog, OriginLog, OriginLog];

  const answer = (log: OriginLog, timing: Record<string, string>) => (asked: Asked) => {
    log.paths.push(asked.path);
    if (asked.path === '/worked/worker.js') {
      asked.respond({ 'content-type': 'text/javascript' }, passingWorker);
      return;
    }
    if (asked.path === '/worked/page') {
      asked.respond({ 'content-type': 'text/html' }, `<!doctype html>${page(logs, '')}${registering}`);
      return;
    }
    if (asked.path.startsWith('/page')) {
      const query = asked.path === '/page-held' ? '?held' : '';
      const script = asked.path === '/page-clearing' ? clearing : '';
      asked.respond({ 'content-type': 'text/html' }, `<!doctype html>${script}${page(logs, query)}`);
      return;
    }
    const respond = (): void => {
      asked.respond({ 'content-type': 'image/gif', 'cache-control': 'no-store', ...timing }, pixel);
    };
    if (holding && /[02468]\?held$/.test(asked.path)) held.push(respond);
    else respond();
  };

  const servers = [
    serve2(answer(own, {})),
    serve1(answer(open, { 'timing-allow-origin': '*' })),
    serve2(answer(hidden, {})),
  ];
  for (const [index, server] of servers.entries()) {
    const log = logs[index];
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    if (log) log.origin = `https://localhost:${(server.address() as AddressInfo).port}`;
    server.on('secureConnection', () => {
      if (log) log.connections++;
    });
  }

  function serve1(respond: (asked: Asked) => void) {
    return createHttps({ key, cert, ALPNProtocols: ['http/1.1'] }, (request, response) => {
      respond({
        path: request.url ?? '',
        respond: (headers, body) => response.writeHead(200, headers).end(body),
      });
    });
  }

  function serve2(respond: (asked: Asked) => void) {
    const server = createSecureServer({ key, cert }, (request, response) => {
      respond({
        path: request.url,
        respond: (headers, body) => {
          response.writeHead(200, headers);
          response.end(body);
        },
      });
    });
    const sessions = new Set<{ destroy(): void }>();
    server.on('session', (session) => {
      sessions.add(session);
      session.on('close', () => sessions.delete(session));
    });
    return Object.assign(server, {
      closeAllConnections: () => {
        for (const session of sessions) session.destroy();
      },
    });
  }

  return {
    own,
    open,
    hidden,
    url: `${own.origin}/page`,
    heldUrl: `${own.origin}/page-held`,
    clearingUrl: `${own.origin}/page-clearing`,
    workedUrl: `${own.origin}/worked/page`,
    release() {
      holding = false;
      for (const respond of held.splice(0)) respond();
    },
    clear() {
      holding = true;
      for (const server of servers) server.closeAllConnections();
      for (const log of logs) Object.assign(log, { paths: [], connections: 0 });
    },
    environment: { HOME: home },
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const clearing = `<script>
performance.onresourcetimingbufferfull = () => performance.clearResourceTimings();
</script>`;

function page(logs: readonly OriginLog[], query: string): string {
  const images = logs.flatMap(({ origin }) =>
    Array.from({ length: perOrigin }, (_, index) => `<img src="${origin}/${index}${query}">`),
  );
  return `<title>300 pictures</title><link rel="icon" href="data:,">${images.join('')}`;
}
