import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { firefoxExtensionId } from '../../shared/messages/extension-ids.ts';
import { startThreeOrigins, type ThreeOrigins } from '../support/three-origins.ts';
import { buildExtension, waitForText } from './extension-browser.ts';
import { openExtensionFirefox, type ExtensionFirefox } from './extension-firefox.ts';
import { stored, storedAs } from './observations.ts';

let directory: string;
let origins: ThreeOrigins;
let firefox: ExtensionFirefox;
/** The recorder's page: what it has stored can be read there. */
let recorder: Page;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'firefox-recorder-'));
  const profile = join(directory, 'profile');
  await mkdir(profile);
  await buildExtension();
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

it('records every request that the servers saw, with the protocol where it is told', async () => {
  await firefox.page.goto(origins.url);
  const [seen] = await storedAs(recorder, (all) => all[0]?.requests.length === 300);
  const requestsOf = (origin: string) =>
    (seen?.requests ?? []).filter(({ url }) => url.startsWith(`${origin}/`));
  for (const log of [origins.own, origins.open, origins.hidden]) {
    expect(
      requestsOf(log.origin)
        .map(({ url }) => new URL(url).pathname)
        .sort(),
    ).toEqual(log.paths.filter((path) => path !== '/page').sort());
  }
  expect(seen).toMatchObject({ url: origins.url, kind: 'load', truncated: false });
  expect(seen?.document).toMatchObject({ protocol: 'h2', source: 'network', status: 200 });
  const protocols = (origin: string) => new Set(requestsOf(origin).map(({ protocol }) => protocol));
  expect(protocols(origins.own.origin)).toEqual(new Set(['h2']));
  expect(protocols(origins.open.origin)).toEqual(new Set(['http/1.1']));
  // Not even by a guess.
  expect(protocols(origins.hidden.origin)).toEqual(new Set([null]));
});

it('loses nothing when the event page is ended in the middle of a page', async () => {
  const background = `WebExtensionPolicy.getByID('${firefoxExtensionId}').extension`;
  const before = await stored(recorder);
  const loading = firefox.page.goto(origins.heldUrl, { timeout: 60_000 });
  // The page has been told of half loaded, so the rest is an addition to what is stored.
  await storedAs(recorder, (all) => all.length > before.length && (all[0]?.requests.length ?? 0) > 0);
  expect(await firefox.inside(`${background}.backgroundState`)).toBe('running');
  await firefox.inside(
    `${background}.terminateBackground({ ignoreDevToolsAttached: true, disableResetIdleForTest: true })`,
  );
  origins.release();
  await loading;
  const [seen] = await storedAs(recorder, (all) => all[0]?.requests.length === 300);
  expect(seen?.url).toBe(origins.heldUrl);
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
