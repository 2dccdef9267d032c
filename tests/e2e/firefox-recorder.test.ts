import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { firefoxExtensionId } from '../../shared/messages/extension-ids.ts';
import { towline } from '../support/towline.ts';
import { startThreeOrigins, type ThreeOrigins } from '../support/three-origins.ts';
import { waitForText } from './extension-browser.ts';
import { openExtensionFirefox, type ExtensionFirefox } from './extension-firefox.ts';
import { expectRequestsOfServers } from './expect-requests-of-servers.ts';
import { expectTimeOfPackets } from './expect-time-of-packets.ts';
import { hasBeenTold, knowPorts, stored, storedAs } from './observations.ts';

let directory: string;
let origins: ThreeOrigins;
let firefox: ExtensionFirefox;
/** The recorder's page: what it has stored can be read there. */
let recorder: Page;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'firefox-recorder-'));
  const profile = join(directory, 'profile');
  await mkdir(profile);
  await towline(['install', '--browser', 'firefox'], { environment: { HOME: profile } });
  // What the host of this browser is to watch: its environment is that of the browser.
  process.env.TOWLINE_WATCH_INTERFACE = 'lo';
  origins = await startThreeOrigins();
  firefox = await openExtensionFirefox({
    build: 'extension-firefox',
    profile,
    caPath: null,
    keyLogFile: join(directory, 'keys.log'),
  });
  recorder = await firefox.openExtensionPage('options.html#/recorder');
  await recorder.bringToFront();
  await waitForText(recorder, 'Nothing recorded yet.');
  await recorder.click('input[value=all]');
  await recorder.click('form.recorder-scope button[type=submit]');
  await waitForText(recorder, 'Pages are recorded from their next load on.');
  await vi.waitUntil(
    () =>
      recorder.evaluate('browser.scripting.getRegisteredContentScripts().then((all) => all.length === 1)'),
    longEnough,
  );
});
afterAll(async () => {
  firefox.kill();
  await origins.close();
  await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});
beforeEach(() => {
  origins.clear();
});

const longEnough = { timeout: 60_000, interval: 50 };

/** As Firefox does at will. */
async function endBackground(): Promise<void> {
  const background = `WebExtensionPolicy.getByID('${firefoxExtensionId}').extension`;
  expect(await firefox.inside(`${background}.backgroundState`)).toBe('running');
  await firefox.inside(
    `${background}.terminateBackground({ ignoreDevToolsAttached: true, disableResetIdleForTest: true })`,
  );
}

it('tells the Time on Wire of a load from its packets, once it is switched on, in every life of the background', async () => {
  await knowPorts(recorder, origins);
  await recorder.click('input[name=time-on-wire]');
  await waitForText(recorder, 'Watching lo.');
  await firefox.page.goto(origins.url);
  const [seen] = await storedAs(recorder, ([newest]) => hasBeenTold(newest));
  if (!seen) throw new Error('Nothing was stored.');
  const { timeOnWire, reusedConnections, setup } = expectTimeOfPackets(seen, origins);
  // The load event waits for the last response; a service worker may ask for itself after that.
  expect(timeOnWire.valueMs - timeOnWire.errorBoundMs).toBeLessThan(seen.loadEventMs ?? NaN);
  expect(reusedConnections).toBe(0);
  expect(setup?.valueMs).toBeGreaterThan(0);
  for (const { addresses } of seen.servers) expect(addresses[0]).toMatch(/^(127\.0\.0\.1|\[?::1\]?)$/);

  await endBackground();
  await firefox.page.reload();
  // Its connections are older than the new watch: only who watches knows that.
  await storedAs(recorder, (all) => all.length === 2 && all[0]?.wire?.missing === 'late-capture');
  await recorder.bringToFront();
  await recorder.click('input[name=time-on-wire]');
  await recorder.waitForFunction(() => !document.body.innerText.includes('Watching'));
});

it('tells it too of a page whose service worker makes the requests', async () => {
  await recorder.bringToFront();
  await recorder.click('input[name=time-on-wire]');
  await waitForText(recorder, 'Watching lo.');
  const { page } = firefox;
  const before = await stored(recorder);
  await page.goto(origins.workedUrl);
  await page.waitForFunction(() => document.title === 'There is a worker.');
  await storedAs(recorder, (all) => all.length === before.length + 1 && hasBeenTold(all[0]));
  await page.goto(origins.workedUrl);
  const [seen] = await storedAs(recorder, (all) => all.length === before.length + 2 && hasBeenTold(all[0]));
  if (!seen) throw new Error('Nothing was stored.');
  // So Firefox tells of what a worker answered, where the server lets it tell at all.
  for (const { url, source } of seen.requests) {
    expect(source).toBe(url.startsWith(origins.hidden.origin) ? 'hidden' : 'cache');
  }
  expectTimeOfPackets(seen, origins);
  expect(seen.servers).toHaveLength(3);
  await recorder.bringToFront();
  await recorder.click('input[name=time-on-wire]');
  await recorder.waitForFunction(() => !document.body.innerText.includes('Watching'));
});

it('records every request that the servers saw, with the protocol where it is told', async () => {
  const before = await stored(recorder);
  await firefox.page.goto(origins.url);
  const [seen] = await storedAs(
    recorder,
    (all) => all.length > before.length && all[0]?.requests.length === 300,
  );
  if (!seen) throw new Error('Nothing was stored.');
  expectRequestsOfServers(seen, origins);
});

it('loses nothing when the event page is ended in the middle of a page', async () => {
  const before = await stored(recorder);
  const loading = firefox.page.goto(origins.heldUrl, { timeout: 60_000 });
  await expect.poll(() => origins.own.paths.length, longEnough).toBeGreaterThan(50);
  // What loads for long is told of as it is, so the rest is an addition to what is stored.
  await storedAs(recorder, (all) => all.length > before.length && (all[0]?.requests.length ?? 0) > 0);
  await endBackground();
  origins.release();
  await loading;
  const [seen] = await storedAs(
    recorder,
    ([newest]) => newest?.url === origins.heldUrl && newest.requests.length === 300,
  );
  expect(new Set(seen?.requests.map(({ url }) => url)).size).toBe(300);
});

it('records nothing in a private window, even where the extension is allowed there', async () => {
  expect(await recorder.evaluate('browser.extension.isAllowedIncognitoAccess()')).toBe(true);
  const before = await stored(recorder);
  const id = await recorder.evaluate(
    `browser.windows.create({ incognito: true, url: '${origins.url}' }).then(({ id }) => id)`,
  );
  const requests = () => [origins.own, origins.open, origins.hidden].flatMap(({ paths }) => paths).length;
  await expect.poll(requests, longEnough).toBe(301);
  // Leaving is when a recorder would tell at the latest.
  await recorder.evaluate(`browser.windows.remove(${String(id)})`);
  await firefox.page.goto(origins.clearingUrl);
  const all = await storedAs(
    recorder,
    ([newest]) => newest?.url === origins.clearingUrl && newest.requests.length === 300,
  );
  expect(all).toHaveLength(before.length + 1);
});
