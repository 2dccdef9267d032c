import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firefoxArmPreferenceNames } from '../../shared/arms/firefox-arm-preferences.ts';
import { firefoxExtensionId } from '../../shared/messages/extension-ids.ts';
import type { LiveState } from '../../shared/messages/live-load.ts';
import type { Arm } from '../../shared/record/arm.ts';
import { packetsDuring } from '../support/packets-during.ts';
import { startTestServers, type TestServers } from '../support/test-servers.ts';
import type { ExtensionFirefox } from './extension-firefox.ts';
import {
  longEnough,
  named,
  nextHopProtocol,
  preferences,
  prepareLiveFirefox,
  type LiveFirefox,
} from './live-firefox.ts';

let live: LiveFirefox;
let servers: TestServers;
beforeAll(async () => {
  [live, servers] = await Promise.all([prepareLiveFirefox(), startTestServers()]);
});
afterAll(async () => {
  await live.close();
  await servers.close();
});

/** Begins a load in HTTP/1.1 that will not end, and waits until it goes on. @returns the tab */
async function loadForever({ inside, extension }: ExtensionFirefox): Promise<Page> {
  const page = await extension.browser().newPage();
  void page.goto(servers.neverLoadsUrl, { timeout: 0 }).catch(() => undefined);
  // Asked while the tab changes its process, it may refuse.
  const images = () => page.evaluate(() => document.images.length).catch(() => 0);
  await expect.poll(images, longEnough).toBe(1);
  await page.bringToFront();
  const tabId = await extension.evaluate(async () => {
    const { tabs } = (globalThis as unknown as ExtensionGlobal).browser;
    return (await tabs.query({ active: true }))[0]?.id ?? -1;
  });
  await page.evaluate('globalThis.isFirstLoad = true');
  // Not awaited: it ends with its tab or its extension.
  void liveLoad(extension, tabId, 'h1').catch(() => undefined);
  const reloaded = () =>
    page.evaluate('globalThis.isFirstLoad !== true && document.images.length === 1').catch(() => false);
  await expect.poll(reloaded, longEnough).toBe(true);
  expect(await inside("Services.prefs.getBoolPref('network.http.http2.enabled')")).toBe(false);
  return page;
}

/** Less than a load is given, after which everything would be put back anyway. */
const atOnce = { ...longEnough, timeout: 30_000 };

describe("negotiating live in a person's own Firefox", () => {
  it('loads one tab over h1, h2, h3, h1, h3, h2, as page and packets say, and negotiates as before afterwards', async () => {
    const firefox = await live.open();
    const { page, extension, tabId } = firefox;
    const before = await preferences(firefox);
    const url = `${live.lab.url}twitter/`;
    await page.goto(url);

    for (const arm of ['h1', 'h2', 'h3', 'h1', 'h3', 'h2'] as const) {
      const { result, wire } = await packetsDuring(
        { port: live.lab.port, keyLogFile: live.keyLogFile, url },
        () => liveLoad(extension, tabId, arm),
      );
      if (result.state === 'failed') throw new Error(result.error.message);
      expect(result).toMatchObject({
        state: 'loaded',
        load: {
          arm,
          url,
          protocol: named[arm],
          confirmed: true,
          fromCache: 0,
          requests: { [named[arm]]: 7 },
        },
      });
      expect(await nextHopProtocol(page)).toBe(named[arm]);
      // The page has 7 files. To learn who offers it, HTTP/3 takes a load before, in whatever Firefox chooses.
      const carried = wire.flows.filter(({ requests }) => (requests ?? 0) > 0);
      const ofArm = carried.filter(({ protocol }) => protocol === arm);
      const requests = ofArm.reduce((sum, flow) => sum + (flow.requests ?? 0), 0);
      if (arm === 'h3') expect(requests).toBeGreaterThanOrEqual(7);
      else expect([requests, ofArm.length]).toEqual([7, carried.length]);
      // Later ones of the same load may well resume.
      expect(carried[0]?.resumed).toBe(false);
    }
    expect(await preferences(firefox)).toEqual(before);
    await page.goto('about:blank');
    await page.goto(url);
    expect(await nextHopProtocol(page)).toBe('h2');
  });

  it('leaves nothing set when Firefox is killed in the middle of a load', async () => {
    const killed = live.inUse();
    const before = await preferences(killed);
    await loadForever(killed);
    const other = await killed.extension.browser().newPage();
    await other.goto(`${live.lab.url}twitter/`);
    expect(await nextHopProtocol(other)).toBe('http/1.1');
    killed.kill();

    const again = await live.open();
    await again.page.goto(`${live.lab.url}twitter/`);
    // Which of them depends on whether Firefox had written down by then what it learned of HTTP/3.
    expect(['h2', 'h3']).toContain(await nextHopProtocol(again.page));
    expect(await preferences(again)).toEqual(before);
    const written = await readFile(join(live.profile, 'prefs.js'), 'utf8');
    expect(firefoxArmPreferenceNames.filter((name) => written.includes(name))).toEqual([]);
  });

  it('leaves what the person has set alone, and puts everything back when in mid-load the tab is closed or the extension disabled or removed', async () => {
    const firefox = live.inUse();
    const before = await preferences(firefox);
    const asBefore = () => expect.poll(() => preferences(firefox), atOnce).toEqual(before);

    await firefox.inside("Services.prefs.setBoolPref('network.http.http2.enabled', false)");
    expect(await liveLoad(firefox.extension, firefox.tabId, 'h2')).toMatchObject({
      error: { code: 'preference-in-the-way' },
    });
    await firefox.inside("Services.prefs.clearUserPref('network.http.http2.enabled')");
    await asBefore();

    const page = await loadForever(firefox);
    await page.close();
    await asBefore();

    const addon = `ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs').AddonManager.getAddonByID('${firefoxExtensionId}')`;
    await loadForever(firefox);
    await firefox.inside(`${addon}.then((addon) => addon.disable())`);
    await asBefore();
    await firefox.inside(`${addon}.then((addon) => addon.enable())`);

    await loadForever({
      ...firefox,
      extension: await firefox.openExtensionPage('options.html'),
    });
    await firefox.inside(`${addon}.then((addon) => addon.uninstall())`);
    await asBefore();
  });
});

/** As the popup asks for it. */
function liveLoad(extension: Page, tabId: number, arm: Arm): Promise<LiveState> {
  return extension.evaluate(
    (id, name) => (globalThis as unknown as ExtensionGlobal).browser.towlineNegotiation.load(id, name),
    tabId,
    arm,
  );
}

interface ExtensionGlobal {
  browser: {
    tabs: { query(what: { active: boolean }): Promise<{ id?: number }[]> };
    towlineNegotiation: {
      load(tabId: number, arm: Arm): Promise<LiveState>;
    };
  };
}
