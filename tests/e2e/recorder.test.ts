import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startThreeOrigins, type ThreeOrigins } from '../support/three-origins.ts';
import { expectRequestsOfServers, requestsOf } from './expect-requests-of-servers.ts';
import { expectTimeOfPackets } from './expect-time-of-packets.ts';
import { erase, hasBeenTold, knowPorts, stored, storedAs } from './observations.ts';
import {
  axeViolations,
  openExtensionBrowser,
  waitForText,
  type ExtensionBrowser,
  type ExtensionBrowserOptions,
} from './extension-browser.ts';

let origins: ThreeOrigins;
let chromium: ExtensionBrowser;
/** The recorder's page: where it is switched on, and what it has stored can be read. */
let recorder: Page;

beforeAll(async () => {
  origins = await startThreeOrigins();
});
afterAll(async () => {
  await origins.close();
});
beforeEach(async () => {
  recorder = await chromium.openResults('#/recorder');
  await forgetAll();
  origins.clear();
});

/** Starting one takes seconds: several tests share it. */
function shareBrowser(options: ExtensionBrowserOptions): void {
  beforeAll(async () => {
    const environment = { ...process.env, ...origins.environment };
    const flags = ['--host-resolver-rules=MAP plain.test 127.0.0.1'];
    chromium = await openExtensionBrowser({ ...options, agreed: true, flags, environment });
  });
  afterAll(async () => {
    await chromium.close();
  });
}

/** As the browser was at first: the recorder off, no other page open, nothing recorded. */
async function forgetAll(): Promise<void> {
  const { browser } = chromium;
  await recorder.evaluate('chrome.storage.local.clear()');
  await recorder.waitForFunction(registered(0));
  // Only now: what pages tell as they go is refused.
  for (const page of await browser.pages()) if (page !== recorder) await page.close();
  await recorder.waitForFunction(
    "chrome.storage.session.get('addresses').then(({ addresses = {} }) => Object.keys(addresses).length === 0)",
  );
  await erase(recorder);
  await recorder.reload();
}

/** An expression of a page of the extension: true once so many content scripts are registered. */
const registered = (count: number) =>
  `chrome.scripting.getRegisteredContentScripts().then((all) => all.length === ${count})`;

async function switchOn(scope: 'sites' | 'all', sites = ''): Promise<void> {
  // Texts are waited for by animation frames, which a hidden tab has none of.
  await recorder.bringToFront();
  await waitForText(recorder, 'Nothing recorded yet.');
  await recorder.click(`input[value=${scope}]`);
  await recorder.type('textarea', sites);
  await recorder.click('form.recorder-scope button[type=submit]');
  await waitForText(recorder, 'Pages are recorded from their next load on.');
  await recorder.waitForFunction(registered(1));
}

/** Switches on the watching of packets, of the loopback. */
async function watchPackets(): Promise<void> {
  await knowPorts(recorder, origins);
  await recorder.click('input[name=time-on-wire]');
  await waitForText(recorder, 'Watching lo.');
}

async function visit(url: string): Promise<Page> {
  const page = await chromium.browser.newPage();
  await page.goto(url);
  return page;
}

describe('allowed in private windows', () => {
  shareBrowser({ inPrivate: true });

  it('is off until it is switched on, and off again when it is switched off', async () => {
    const page = await visit(origins.url);
    await switchOn('sites', 'localhost');
    await page.reload();
    await storedAs(recorder, (all) => all[0]?.requests.length === 300);

    await recorder.bringToFront();
    await recorder.reload();
    await recorder.waitForSelector('input[value=off]');
    await recorder.click('input[value=off]');
    await recorder.click('form.recorder-scope button[type=submit]');
    await recorder.waitForFunction(registered(0));
    await page.goto(origins.url);
    // Leaving is when a recorder would tell at the latest.
    await page.goto('about:blank');

    await recorder.click('input[value=all]');
    await recorder.click('form.recorder-scope button[type=submit]');
    await recorder.waitForFunction(registered(1));
    // Without TLS, where a page has less than others: no `crypto.randomUUID`, for one.
    const plain = createServer((_, response) => response.end('<!doctype html>'));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://plain.test:${(plain.address() as AddressInfo).port}/`;
      await page.goto(url);
      expect(await page.evaluate('isSecureContext')).toBe(false);
      const all = await storedAs(recorder, ([newest]) => newest?.url === url);
      expect(all.map(({ kind }) => kind)).toEqual(['load', 'reload']);
    } finally {
      plain.closeAllConnections();
      plain.close();
    }
  });

  it('records every request that the servers saw, with protocol, bytes, connections and addresses', async () => {
    await switchOn('all');
    const page = await visit(origins.url);
    const [seen] = await storedAs(recorder, (all) => all[0]?.requests.length === 300);
    if (!seen) throw new Error('Nothing was stored.');

    expectRequestsOfServers(seen, origins);
    expect(seen.loadEventMs).toBeGreaterThan(0);
    for (const request of requestsOf(seen, origins.hidden.origin)) {
      expect(request).toMatchObject({ source: 'hidden', transferBytes: null, newConnection: null });
    }
    const opened = requestsOf(seen, origins.open.origin).filter(({ newConnection }) => newConnection).length;
    expect(opened).toBeGreaterThan(0);
    expect(opened).toBeLessThanOrEqual(origins.open.connections);
    for (const { addresses } of seen.servers) expect(addresses[0]).toMatch(/^(127\.0\.0\.1|\[?::1\]?)$/);
    expect(seen.servers.map(({ origin }) => origin).sort()).toEqual(
      [origins.own.origin, origins.open.origin, origins.hidden.origin].sort(),
    );

    await page.bringToFront();
    const tab = await recorder.evaluate('chrome.tabs.query({active:true}).then(([tab]) => tab.id)');
    await recorder.waitForFunction(
      `chrome.action.getBadgeText({ tabId: ${String(tab)} }).then((text) => text === 'h2')`,
      // Not by animation frames: the page in front is another.
      { polling: 100 },
    );
    const popup = await chromium.openPopup(page);
    await waitForText(popup, 'Observed, not a comparison');
    const rows = await popup.$$eval('.observed tbody tr', (all) =>
      all.map((row) => [...row.children].map((cell) => cell.textContent)),
    );
    const bare = ({ origin }: { origin: string }) => origin.replace('https://', '');
    expect(rows.map((cells) => cells.slice(0, 3))).toEqual(
      expect.arrayContaining([
        [bare(origins.own), 'HTTP/2', '101'],
        [bare(origins.open), 'HTTP/1.1', '100'],
        [bare(origins.hidden), 'not told', '100'],
      ]),
    );
    expect(await axeViolations(popup)).toEqual([]);

    await popup.close();
    await recorder.bringToFront();
    await recorder.reload();
    await recorder.waitForSelector('.observations summary');
    await recorder.click('.observations summary');
    await waitForText(recorder, 'not told');
    expect(await axeViolations(recorder)).toEqual([]);
  });

  it('records what a page asks for after its load only where that is wanted', async () => {
    await switchOn('all');
    const page = await visit(origins.url);
    const askForMore = `(async () => {
      for (let each = 0; each < 10; each++) {
        await (await fetch('/more-' + each)).blob();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })()`;
    await storedAs(recorder, (all) => all[0]?.requests.length === 300);
    await page.evaluate(askForMore);
    await recorder.bringToFront();
    await recorder.click('input[name=after-load]');
    await recorder.waitForFunction(
      `chrome.storage.local.get('recorder').then(({ recorder }) => recorder.afterLoad)`,
    );
    await page.bringToFront();
    await page.reload();
    await storedAs(recorder, (all) => all.length === 2 && all[0]?.requests.length === 300);
    await page.evaluate(askForMore);
    await page.close();
    const all = await storedAs(recorder, ([newest]) => (newest?.requests.length ?? 0) > 300);
    expect(all.map(({ requests }) => requests.length)).toEqual([310, 300]);
  });

  it('loses nothing when the background is ended in the middle of a page', async () => {
    await switchOn('all');
    const page = await chromium.browser.newPage();
    const loading = page.goto(origins.heldUrl, { timeout: 60_000 });
    await expect.poll(() => origins.own.paths.length, { timeout: 60_000 }).toBeGreaterThan(50);
    // What loads for long is told of as it is, so the rest is an addition to what is stored.
    await storedAs(recorder, (all) => (all[0]?.requests.length ?? 0) > 0);
    await chromium.killBackground(recorder);
    origins.release();
    await loading;
    const [seen] = await storedAs(recorder, (all) => all[0]?.requests.length === 300);
    expect(new Set(seen?.requests.map(({ url }) => url)).size).toBe(300);
    expect(seen?.servers).toHaveLength(3);
  });

  it('tells a return from the back/forward cache from a load', async () => {
    await switchOn('all');
    const page = await visit(origins.url);
    await storedAs(recorder, (all) => all[0]?.requests.length === 300);
    await page.evaluate('globalThis.isFirstLife = true');
    await page.goto(`${origins.open.origin}/page`);
    await storedAs(recorder, (all) => all.length === 2);
    await page.goBack();
    const [back] = await storedAs(recorder, (all) => all.length === 3);
    // Whether the browser keeps the page is its own choice: what the page remembers tells which it was.
    const wasKept = await page.evaluate('globalThis.isFirstLife === true');
    expect(back?.url).toBe(origins.url);
    if (wasKept) expect(back).toMatchObject({ kind: 'bfcache', document: null, requests: [] });
    else expect(back).toMatchObject({ kind: 'back-forward' });
    expect(origins.own.paths.filter((path) => path === '/page')).toHaveLength(wasKept ? 1 : 2);
  });

  it('tells a page that was loaded before the person went there', async () => {
    await switchOn('all');
    const page = await visit(origins.url);
    await storedAs(recorder, (all) => all[0]?.requests.length === 300);
    await page.evaluate((url) => {
      const rules = document.createElement('script');
      rules.type = 'speculationrules';
      rules.textContent = JSON.stringify({ prerender: [{ source: 'list', urls: [url] }] });
      document.head.append(rules);
    }, origins.clearingUrl);
    await expect.poll(() => origins.own.paths, { timeout: 30_000 }).toContain('/page-clearing');
    // Nobody has gone there yet.
    expect((await stored(recorder)).map(({ url }) => url)).toEqual([origins.url]);
    await page.evaluate((url) => void (location.href = url), origins.clearingUrl);
    const [seen] = await storedAs(
      recorder,
      ([newest]) => newest?.url === origins.clearingUrl && newest.requests.length === 300,
    );
    expect(seen?.kind).toBe('prerender');
    expect(seen?.shownMs).toBeGreaterThan(0);
  });

  it('records nothing in a private window, even where the extension is allowed there', async () => {
    expect(await recorder.evaluate('chrome.extension.isAllowedIncognitoAccess()')).toBe(true);
    await switchOn('all');
    const target = chromium.browser.waitForTarget((each) => each.url() === origins.url);
    await recorder.evaluate(`chrome.windows.create({ incognito: true, url: '${origins.url}' })`);
    const page = await (await target).page();
    await page?.waitForFunction(() => document.readyState === 'complete' && document.images.length === 300, {
      polling: 100,
    });
    // Leaving is when a recorder would tell at the latest.
    await page?.goto('about:blank');
    await visit(origins.clearingUrl);
    await storedAs(recorder, (all) => all[0]?.requests.length === 300);
    expect(await stored(recorder)).toHaveLength(1);
    const addresses = await recorder.evaluate(
      "chrome.storage.session.get('addresses').then(({ addresses }) => Object.keys(addresses))",
    );
    expect(addresses).toHaveLength(1);
    expect(origins.own.paths.filter((path) => path === '/page')).toHaveLength(1);
  });

  it('erases everything when asked twice', async () => {
    await switchOn('all');
    await visit(origins.url);
    await storedAs(recorder, (all) => all[0]?.requests.length === 300);
    await recorder.bringToFront();
    await recorder.reload();
    await waitForText(recorder, 'Page loads: 1');
    await recorder.evaluate(() => {
      const labelled = (label: string) =>
        [...document.querySelectorAll('button')].find((button) => button.textContent === label);
      labelled('Erase all')?.click();
      labelled('Erase it')?.click();
    });
    await waitForText(recorder, 'Nothing recorded yet.');
    expect(await stored(recorder)).toEqual([]);
  });
});

describe('with the host watching packets', () => {
  // Chrome does not say whose a service worker is where private windows are allowed.
  shareBrowser({ inPrivate: false });

  it('tells the Time on Wire of a load from its packets, once it is switched on, in every life of the background', async () => {
    await switchOn('all');
    await watchPackets();
    const page = await visit(origins.url);
    const [seen] = await storedAs(recorder, ([newest]) => hasBeenTold(newest));
    if (!seen) throw new Error('Nothing was stored.');
    const { timeOnWire, reusedConnections, setup } = expectTimeOfPackets(seen, origins);
    // The load event waits for the last response; a service worker may ask for itself after that.
    expect(timeOnWire.valueMs - timeOnWire.errorBoundMs).toBeLessThan(seen.loadEventMs ?? NaN);
    expect(reusedConnections).toBe(0);
    expect(setup?.valueMs).toBeGreaterThan(0);
    const popup = await chromium.openPopup(page);
    await waitForText(popup, 'Time on Wire, observed:');
    expect(await axeViolations(popup)).toEqual([]);
    await popup.close();

    await chromium.killBackground(recorder);
    await page.reload();
    // Its connections are older than the new watch: only who watches knows that.
    await storedAs(recorder, (all) => all.length === 2 && all[0]?.wire?.missing === 'late-capture');
    await recorder.bringToFront();
    await recorder.click('input[name=time-on-wire]');
    await recorder.waitForFunction(() => !document.body.innerText.includes('Watching'));
  });

  it('tells it too of a page whose service worker makes the requests', async () => {
    await switchOn('all');
    await watchPackets();
    const page = await visit(origins.workedUrl);
    await page.waitForFunction(() => document.title === 'There is a worker.');
    await storedAs(recorder, ([newest]) => hasBeenTold(newest));
    await page.goto(origins.workedUrl);
    const [seen] = await storedAs(recorder, (all) => all.length === 2 && hasBeenTold(all[0]));
    if (!seen) throw new Error('Nothing was stored.');
    expect(new Set(seen.requests.map(({ source }) => source))).toEqual(new Set(['service-worker']));
    expectTimeOfPackets(seen, origins);
    expect(seen.servers).toHaveLength(3);

    // Another tab of the site may have its requests made by the same worker.
    await visit(origins.url);
    await storedAs(recorder, ([newest]) => newest?.url === origins.url && hasBeenTold(newest));
    await page.reload();
    await storedAs(recorder, ([newest]) => newest?.kind === 'reload' && newest.wire?.missing === 'shared');
  });
});
