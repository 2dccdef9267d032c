import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveLab, type ServedLab } from '../../lab/serve.ts';
import { firefoxArmPreferenceNames } from '../../shared/arms/firefox-arm-preferences.ts';
import type { LiveState } from '../../shared/messages/live-load.ts';
import type { Arm } from '../../shared/record/arm.ts';
import { packetsDuring } from '../support/packets-during.ts';
import { startTestServers, type TestServers } from '../support/test-servers.ts';
import { axeViolations, buildExtension } from './extension-browser.ts';
import { towline } from '../support/towline.ts';
import { readRecord } from '../../shared/record/read-record.ts';
import { firefoxExtensionId } from '../../shared/messages/extension-ids.ts';
import { openExtensionFirefox, type ExtensionFirefox } from './extension-firefox.ts';

let directory: string;
let profile: string;
let lab: ServedLab;
let servers: TestServers;
let running: ExtensionFirefox | null = null;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'firefox-live-'));
  profile = join(directory, 'profile');
  await mkdir(profile);
  await buildExtension();
  await towline(['install', '--browser', 'firefox'], { environment: { HOME: profile } });
  [lab, servers] = await Promise.all([serveLab({ port: 0 }), startTestServers()]);
});
afterAll(async () => {
  running?.kill();
  await lab.close();
  await servers.close();
  await rm(directory, {
    recursive: true,
    force: true,
    maxRetries: 20,
    retryDelay: 50,
  });
});

const armsHere = ['h1', 'h2', 'h3'] as const;
const named = { h1: 'http/1.1', h2: 'h2', h3: 'h3' } as const;

/** Starting one takes seconds: each test goes on with the one before. */
function inUse(): ExtensionFirefox {
  if (running === null) throw new Error('Firefox did not start.');
  return running;
}

async function openFirefox(): Promise<ExtensionFirefox> {
  running = await openExtensionFirefox({
    build: 'extension-firefox-lab',
    profile,
    caPath: lab.caPath,
    keyLogFile: join(directory, 'keys.log'),
  });
  return running;
}

const nextHopProtocol = (page: Page): Promise<string> =>
  page.evaluate(
    () => (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).nextHopProtocol,
  );

/** What every preference of an arm is at, as Firefox itself says. */
function preferences({ inside }: ExtensionFirefox): Promise<unknown> {
  return inside(`Object.fromEntries(${JSON.stringify(firefoxArmPreferenceNames)}.map((name) => [
    name,
    [Services.prefs.prefHasUserValue(name), ...['getBoolPref', 'getIntPref', 'getStringPref'].flatMap((get) => {
      try { return [Services.prefs[get](name)]; } catch { return []; }
    })],
  ]))`);
}

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

const longEnough = { timeout: 60_000, interval: 50 };
/** Less than a load is given, after which everything would be put back anyway. */
const atOnce = { ...longEnough, timeout: 30_000 };

describe("negotiating live in a person's own Firefox", () => {
  it('loads one tab over h1, h2, h3, h1, h3, h2, as page and packets say, and negotiates as before afterwards', async () => {
    const firefox = await openFirefox();
    const { page, extension, tabId } = firefox;
    const before = await preferences(firefox);
    const url = `${lab.url}twitter/`;
    await page.goto(url);

    for (const arm of ['h1', 'h2', 'h3', 'h1', 'h3', 'h2'] as const) {
      const { result, wire } = await packetsDuring(
        { port: lab.port, keyLogFile: join(directory, 'keys.log'), url },
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

  it('asks in the popup before it empties the cache, by keyboard alone; and so before it compares here, where browser and packets confirm each load', async () => {
    const { page, extension, openExtensionPage, allowPages } = inUse();
    await allowPages();
    await extension.evaluate(`browser.storage.local.set({ settings: { rounds: 1, gapMs: 0 } })`);
    const before = await preferences(inUse());
    const popup = await openExtensionPage('popup.html');
    await page.bringToFront();
    // As the popup opens, the page is the one in front.
    await popup.evaluate('location.reload()');
    const shown = () => popup.evaluate('document.querySelector(".live")?.innerText ?? ""').catch(() => '');
    await expect.poll(shown, longEnough).toContain('Reload this tab with');
    await popup.bringToFront();
    expect(await axeViolations(popup)).toEqual([]);

    await popup.evaluate('document.querySelectorAll(".live-arms button")[0].focus()');
    await popup.keyboard.press('Enter');
    await expect.poll(shown, longEnough).toContain('empties its cache, for all sites');
    expect(await axeViolations(popup)).toEqual([]);
    expect(await liveState(extension)).toMatchObject({ load: { arm: 'h2' } });
    // As Enter does, which goes to the tab in front: that must be the page, over which the popup is.
    await page.bringToFront();
    await popup.evaluate('document.activeElement.click()');
    await expect.poll(shown, longEnough).toContain('It came over HTTP/1.1: 7 of 7 requests');
    const inAll = () => popup.evaluate('document.querySelector(".page").innerText');
    await expect.poll(inAll, longEnough).toContain('HTTP/1.1');
    expect(await nextHopProtocol(page)).toBe('http/1.1');
    expect(await axeViolations(popup)).toEqual([]);
    expect(await popup.evaluate('document.activeElement.textContent')).toBe('HTTP/1.1');

    // The same popup: an opening of one takes seconds.
    const tabs = () => extension.evaluate('browser.tabs.query({}).then((tabs) => tabs.length)');
    const tabsBefore = await tabs();
    const here =
      "[...document.querySelectorAll('form.compare option')].find(({ text }) => text.startsWith('Here,'))";
    await popup.evaluate(`{
      ${here}.selected = true;
      document.querySelector('form.compare').dispatchEvent(new Event('input'));
    }`);
    expect(await popup.evaluate("document.querySelector('.agreement').innerText")).toContain(
      'empties its cache',
    );
    expect(await axeViolations(popup)).toEqual([]);
    const submit = "document.querySelector('form.compare').requestSubmit()";
    await popup.evaluate(submit);
    expect(await popup.evaluate("document.querySelector('form.compare :invalid').type")).toBe('checkbox');
    await popup.evaluate("document.querySelector('.agreement input').click()");
    await popup.evaluate(submit);
    await expect.poll(() => popup.evaluate(ended).catch(() => false), longEnough).toBe(true);

    const record = readRecord(String(await popup.evaluate(storedRecord)), 'the stored record');
    expect([record.outcome, record.error, record.path.kind]).toEqual(['complete', null, 'none']);
    expect(record.environment.browser).toMatchObject({ name: 'firefox', own: true, headless: true });
    // A load that a busy machine has spoilt is made again.
    const valid = record.trials.filter(({ verdict }) => verdict.valid);
    expect(new Set(valid.filter(({ warmup }) => !warmup).map(({ arm }) => arm))).toEqual(new Set(armsHere));
    for (const trial of valid) {
      const protocol = named[trial.arm as (typeof armsHere)[number]];
      expect(trial.resources.map((resource) => resource.protocol)).toEqual(Array(7).fill(protocol));
      expect(trial.navigation?.nextHopProtocol).toBe(protocol);
      expect(trial.loadTimeMs).toBeGreaterThan(0);
      const carried = trial.wire?.flows.filter((flow) => flow.page) ?? [];
      expect(new Set(carried.map(({ transport }) => transport))).toEqual(
        new Set([trial.arm === 'h3' ? 'quic' : 'tcp']),
      );
      const ports = new Set(trial.resources.map(({ connectionId }) => Number(connectionId)));
      expect(new Set(carried.map(({ clientPort }) => clientPort))).toEqual(ports);
      expect(trial.wire?.timeOnWireMs.value).toBeGreaterThan(0);
    }
    expect(await preferences(inUse())).toEqual(before);
    await expect.poll(tabs, longEnough).toBe(tabsBefore);
    await popup.close();
  });

  it('leaves nothing set when Firefox is killed in the middle of a load', async () => {
    const killed = inUse();
    const before = await preferences(killed);
    await loadForever(killed);
    const other = await killed.extension.browser().newPage();
    await other.goto(`${lab.url}twitter/`);
    expect(await nextHopProtocol(other)).toBe('http/1.1');
    killed.kill();

    const again = await openFirefox();
    await again.page.goto(`${lab.url}twitter/`);
    // Which of them depends on whether Firefox had written down by then what it learned of HTTP/3.
    expect(['h2', 'h3']).toContain(await nextHopProtocol(again.page));
    expect(await preferences(again)).toEqual(before);
    const written = await readFile(join(profile, 'prefs.js'), 'utf8');
    expect(firefoxArmPreferenceNames.filter((name) => written.includes(name))).toEqual([]);
  });

  it('leaves what the person has set alone, and puts everything back when in mid-load the tab is closed or the extension disabled or removed', async () => {
    const firefox = inUse();
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

/** In a page of the extension: whether the run in front of the person has ended and its record is stored. */
const ended = "document.body.innerText.includes('See results')";

/** In a page of the extension: the JSON of the only record stored. */
const storedRecord = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('towline');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const all = opening.result.transaction('records').objectStore('records').getAll();
    all.onsuccess = () => {
      opening.result.close();
      resolve(all.result[0].text);
    };
  };
})`;

/** As the popup asks for it. */
function liveLoad(extension: Page, tabId: number, arm: Arm): Promise<LiveState> {
  return extension.evaluate(
    (id, name) => (globalThis as unknown as ExtensionGlobal).browser.towlineNegotiation.load(id, name),
    tabId,
    arm,
  );
}

const liveState = (extension: Page): Promise<LiveState> =>
  extension.evaluate(() => (globalThis as unknown as ExtensionGlobal).browser.towlineNegotiation.state());

interface ExtensionGlobal {
  browser: {
    tabs: { query(what: { active: boolean }): Promise<{ id?: number }[]> };
    towlineNegotiation: {
      load(tabId: number, arm: Arm): Promise<LiveState>;
      state(): Promise<LiveState>;
    };
  };
}
