import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chromeExtensionId } from '../../shared/messages/extension-ids.ts';
import { isHost, processesOf } from '../support/processes-of.ts';
import { startTwoHosts, type TwoHosts } from '../support/two-hosts.ts';
import {
  axeViolations,
  openExtensionBrowser,
  waitForText,
  type ExtensionBrowser,
} from './extension-browser.ts';

let hosts: TwoHosts;
let stateHome: string;
let chromium: ExtensionBrowser | null = null;
let timesAsked = 0;
/** Of a page that a cache may keep for an hour. */
const cacheable = createServer((_, response) => {
  timesAsked++;
  response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'max-age=3600' });
  response.end('<!doctype html><title>cacheable</title><link rel="icon" href="data:,">');
});

beforeAll(async () => {
  cacheable.listen(0, '127.0.0.1');
  await once(cacheable, 'listening');
  hosts = await startTwoHosts();
  stateHome = join(hosts.home, 'state');
  const profile = join(hosts.home, 'profile');
  await mkdir(profile);
  const environment = {
    ...process.env,
    ...{ HOME: hosts.home, XDG_STATE_HOME: stateHome, XDG_DATA_HOME: join(hosts.home, 'data') },
  };
  await promisify(execFile)('bin/towline', ['install', '--user-data-dir', profile], { env: environment });
  chromium = await openExtensionBrowser({
    ...{ host: false, profile, environment, build: 'extension-chrome-lab' },
    ...{ executable: hosts.chromium, flags: hosts.flags },
  });
});
afterAll(async () => {
  await chromium?.close();
  cacheable.close();
  await hosts.close();
});

const longEnough = { timeout: 60_000, interval: 50 };

const nextHopProtocol = (page: Page): Promise<string> =>
  page.evaluate(
    () => (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).nextHopProtocol,
  );

/** Loads the page until it comes over HTTP/3: a host is known to offer it only once it has said so. */
async function loadOverHttp3(page: Page, url: string): Promise<void> {
  const load = async () => {
    await page.goto(url);
    return nextHopProtocol(page);
  };
  await expect.poll(load, longEnough).toBe('h3');
}

/** What Chrome itself says of its proxy, asked for by a page of the extension. */
const proxy = (asking: Page): Promise<{ levelOfControl: string; value: { mode: string } }> =>
  asking.evaluate('chrome.proxy.settings.get({})') as never;

const byNobody = { levelOfControl: 'controllable_by_this_extension', value: { mode: 'system' } };
const byUs = { levelOfControl: 'controlled_by_this_extension', value: { mode: 'pac_script' } };

/** Tunnels that the relay has opened so far, as the host's log has it. */
async function tunnels(): Promise<number> {
  const log = await readFile(join(stateHome, 'towline/host.log'), 'utf8');
  return log.split('\n').filter((line) => line.endsWith('relay: a tunnel')).length;
}

/** Ends the native host of this test's browser, as the kernel might. */
async function killHost(): Promise<void> {
  for (const { pid } of (await processesOf(stateHome)).filter(isHost)) process.kill(pid, 'SIGKILL');
}

it('keeps one host from HTTP/3 while it is on, and nothing of that outlives the switch, the host or the background', async () => {
  if (!chromium) throw new Error('Chromium did not start.');
  const { browser } = chromium;
  const [one, two] = hosts.urls;
  const [page, other] = [await browser.newPage(), await browser.newPage()];
  await loadOverHttp3(page, one);
  const cacheableUrl = `http://127.0.0.1:${(cacheable.address() as AddressInfo).port}/`;
  await other.goto(cacheableUrl);

  const popup = await chromium.openPopup(page);
  await waitForText(popup, 'Load one.towline.test');
  expect(await axeViolations(popup)).toEqual([]);
  expect(await proxy(popup)).toMatchObject(byNobody);
  const press = async () => {
    await popup.focus('.without input');
    await popup.keyboard.press('Space');
  };
  const isOn = () => popup.$eval('.without input', (box) => box.checked);
  const shows = (words: string) =>
    expect
      .poll(() => popup.$eval('.without', (view) => (view as HTMLElement).innerText), longEnough)
      .toContain(words);

  await press();
  await shows('answered over HTTP/2, and none of 5 requests came over HTTP/3');
  expect(await isOn()).toBe(true);
  expect(await axeViolations(popup)).toEqual([]);
  expect(await nextHopProtocol(page)).toBe('h2');
  expect(await proxy(popup)).toMatchObject(byUs);
  const opened = await tunnels();
  expect(opened).toBeGreaterThan(0);

  await loadOverHttp3(other, two);
  await page.goto(one);
  expect(await nextHopProtocol(page)).toBe('h2');

  await press();
  await expect.poll(isOn, longEnough).toBe(false);
  expect(await proxy(popup)).toMatchObject(byNobody);
  await loadOverHttp3(page, one);
  // What Chrome was made to forget is not what its cache holds.
  await other.goto(cacheableUrl);
  expect(timesAsked).toBe(1);

  await press();
  await shows('none of 5 requests');
  expect(await tunnels()).toBeGreaterThan(opened);
  await killHost();
  await shows('The Towline host has ended');
  expect(await isOn()).toBe(false);
  expect(await proxy(popup)).toMatchObject(byNobody);

  await press();
  await shows('none of 5 requests');
  await popup.close();
  // A page of the extension without a script: nobody watches, so only that the relay is not there wakes the background.
  const picture = await browser.newPage();
  await picture.goto(`chrome-extension://${chromeExtensionId}/icons/icon-16.png`);
  expect(await proxy(picture)).toMatchObject(byUs);
  await Promise.all([chromium.killBackground(picture), loadOverHttp3(page, one)]);
  expect(await proxy(picture)).toMatchObject(byNobody);
});
