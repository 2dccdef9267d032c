import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { makeTrust } from '../support/test-servers.ts';
import { openTestScreen } from '../support/test-screen.ts';
import { openExtensionBrowser, waitForText } from './extension-browser.ts';

const run = promisify(execFile);

/** A page over HTTP/2 or HTTP/1.1, and what each request for it came over, as its server says. */
async function startSite(directory: string) {
  const { key, cert, home } = await makeTrust(directory);
  const versions: string[] = [];
  const sockets = new Set<{ destroy(): void }>();
  const server = createSecureServer({ key, cert, allowHTTP1: true }, (request, response) => {
    if (request.url === '/') versions.push(request.httpVersion);
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>two protocols</title><link rel="icon" href="data:,"><p>Hello');
  });
  server.on('connection', (socket: { destroy(): void }) => sockets.add(socket));
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return {
    home,
    versions,
    url: `https://localhost:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

it('opens the page over HTTP/1.1 in a window of its own, which ends with the browser that asked', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'open-'));
  const [screen, site] = await Promise.all([openTestScreen(), startSite(directory)]);
  try {
    const { home } = site;
    const [profile, temporary] = [join(directory, 'profile'), join(directory, 't')];
    await Promise.all([mkdir(profile), mkdir(temporary)]);
    const environment = {
      ...process.env,
      ...{ HOME: home, XDG_STATE_HOME: join(home, 'state'), XDG_DATA_HOME: join(home, 'data') },
      ...{ DISPLAY: screen.display, TMPDIR: temporary },
    };
    await run('bin/towline', ['install', '--user-data-dir', profile], { env: environment });
    const chromium = await openExtensionBrowser({ host: false, profile, environment });
    try {
      const page = await chromium.browser.newPage();
      await page.goto(site.url);
      const popup = await chromium.openPopup(page);
      await waitForText(popup, 'Open this page with');
      const button = await popup.waitForSelector('.open-with button:has([data-arm=h1])');
      await button?.click();
      await expect.poll(() => site.versions, { timeout: 60_000 }).toEqual(['2.0', '1.1']);
      expect(await popup.$$('[role=alert]')).toEqual([]);
    } finally {
      await chromium.close();
    }
    const left = async () => [
      ...(await readdir(temporary)),
      ...(await readdir(join(home, 'state/towline/windows'))),
    ];
    await expect.poll(left, { timeout: 60_000 }).toEqual([]);
  } finally {
    await site.close();
    await screen.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
});
