import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BackgroundMessage, PageRequest, TrackedRun } from '../../shared/messages/extension-messages.ts';
import { hasEnded, watchPortName } from '../../shared/messages/extension-messages.ts';
import { firefoxArmPreferenceNames } from '../../shared/arms/firefox-arm-preferences.ts';
import { readRecord } from '../../shared/record/read-record.ts';
import type { ComparisonRecord } from '../../shared/record/record.ts';
import { isHost, processesOf } from '../support/processes-of.ts';
import { axeViolations } from './extension-browser.ts';
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
/** Of the arms, before anything was set. */
let before: unknown;
beforeAll(async () => {
  live = await prepareLiveFirefox();
  const firefox = await live.open();
  before = await preferences(firefox);
  await listen(firefox);
  await firefox.page.goto(`${live.lab.url}twitter/`);
});
afterAll(async () => {
  await live.close();
});

const armsHere = ['h1', 'h2', 'h3'] as const;

/** The record with this id, as the extension has stored it. */
async function recordOf({ extension }: ExtensionFirefox, id: string): Promise<ComparisonRecord> {
  const text = await extension.evaluate(
    (recordId) =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open('towline');
        opening.onerror = () => {
          reject(new Error(String(opening.error)));
        };
        opening.onsuccess = () => {
          const asked = opening.result.transaction('records').objectStore('records').get(recordId);
          asked.onsuccess = () => {
            opening.result.close();
            resolve((asked.result as { text: string }).text);
          };
        };
      }),
    id,
  );
  return readRecord(text, 'the stored record');
}

/** The extension's page hears of every run from now on, and can ask the background for things. */
async function listen({ extension }: ExtensionFirefox): Promise<void> {
  await extension.evaluate((name) => {
    const page = globalThis as unknown as ListeningPage;
    page.port = page.browser.runtime.connect({ name });
    page.port.onMessage.addListener((message) => {
      if (message.type === 'state') page.runs = message.runs;
      else page.refused = message.error.message;
    });
  }, watchPortName);
}

const ask = ({ extension }: ExtensionFirefox, request: PageRequest) =>
  extension.evaluate((asked) => {
    (globalThis as unknown as ListeningPage).port.postMessage(asked);
  }, request);

/** The newest run, as the popup would show it. @throws what was refused */
async function newestRun({ extension }: ExtensionFirefox): Promise<TrackedRun | undefined> {
  const { runs = [], refused } = await extension.evaluate(() => {
    const { runs: told, refused: why } = globalThis as unknown as ListeningPage;
    return { runs: told, refused: why };
  });
  if (refused !== undefined) throw new Error(refused);
  return runs[0];
}

const tabsOf = ({ extension }: ExtensionFirefox) =>
  extension.evaluate('browser.tabs.query({}).then((tabs) => tabs.map(({ id }) => id))') as Promise<number[]>;

/** A comparison here has done a load, and is in the middle of another: an arm is set. */
async function amidRun(
  firefox: ExtensionFirefox,
): Promise<{ runId: string; runTab: number; tabs: number[] }> {
  const tabs = await tabsOf(firefox);
  const earlier = (await newestRun(firefox))?.status.runId;
  await ask(firefox, {
    ...{ type: 'compare', url: `${live.lab.url}twitter/`, arms: ['h1', 'h2'], rounds: 20 },
    ...{ precisionPercent: null, gapMs: 0, browser: 'own' },
  });
  const status = async () => (await newestRun(firefox))?.status;
  const done = async () => {
    const now = await status();
    return now === undefined || now.runId === earlier ? 0 : now.trialsValid;
  };
  await expect.poll(done, longEnough).toBeGreaterThan(0);
  await expect.poll(() => preferences(firefox), longEnough).not.toEqual(before);
  const [runTab = -1] = (await tabsOf(firefox)).filter((id) => !tabs.includes(id));
  return { runId: (await status())?.runId ?? '', runTab, tabs };
}

/** Processes of ours, but for the host that serves the browser. */
const measuring = async () =>
  (await processesOf(live.profile)).filter((each) => /\bnode$/.test(each.words[0] ?? '') && !isHost(each));

/** Waits until a run has ended and its record is stored, the arm is put back and everything of ours is gone. */
async function endOf(
  firefox: ExtensionFirefox,
  { runId, tabs }: { runId: string; tabs: readonly number[] },
): Promise<{ run: TrackedRun; record: ComparisonRecord }> {
  const stored = async () => {
    const run = await newestRun(firefox);
    return run?.status.runId === runId && hasEnded(run.status) ? run.recordId : null;
  };
  await expect.poll(stored, longEnough).toEqual(expect.any(String));
  const run = await newestRun(firefox);
  if (!run?.recordId) throw new Error('Its record is not stored.');
  await expect.poll(() => preferences(firefox), longEnough).toEqual(before);
  await expect.poll(() => tabsOf(firefox), longEnough).toEqual(tabs);
  await expect.poll(measuring, longEnough).toEqual([]);
  const record = await recordOf(firefox, run.recordId);
  expect(record.trials.some(({ verdict }) => verdict.valid)).toBe(true);
  return { run, record };
}

/** That the person is told what happened and what to do, in the popup as in the record. */
function expectLost({ status }: TrackedRun, { outcome, error }: ComparisonRecord): void {
  expect([status.state, outcome]).toEqual(['failed', 'failed']);
  expect(status.error).toMatchObject({ code: 'own-browser-lost', remedy: expect.any(String) as string });
  expect(error).toEqual(status.error);
}

describe("a comparison here, in a person's own Firefox", () => {
  it('asks in the popup before it empties the cache, by keyboard alone; and so before it compares here, where browser and packets confirm each load', async () => {
    const { page, extension, openExtensionPage, allowPages } = live.inUse();
    await allowPages();
    await extension.evaluate(`browser.storage.local.set({ settings: { rounds: 1, gapMs: 0 } })`);
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
    expect(await nextHopProtocol(page)).toBe('h2');
    expect(await preferences(live.inUse())).toEqual(before);
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
    const inPopup = () => popup.evaluate('document.body.innerText').catch(() => '');
    await expect.poll(inPopup, { ...longEnough, timeout: 180_000 }).toContain('See results');
    const { recordId = null } = (await newestRun(live.inUse())) ?? {};
    const record = await recordOf(live.inUse(), recordId ?? '');
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
    expect(await preferences(live.inUse())).toEqual(before);
    await expect.poll(tabs, longEnough).toBe(tabsBefore);
    await popup.close();
  }, 240_000);

  it('ends with what is done when the person stops it', async () => {
    const firefox = live.inUse();
    const going = await amidRun(firefox);
    await ask(firefox, { type: 'cancel', runId: going.runId });
    const { run, record } = await endOf(firefox, going);
    expect([run.status.state, run.status.error]).toEqual(['cancelled', null]);
    expect([record.outcome, record.error]).toEqual(['cancelled', null]);
  });

  it('ends with what is done, and says why, when its tab is closed', async () => {
    const firefox = live.inUse();
    const going = await amidRun(firefox);
    await firefox.extension.evaluate(`browser.tabs.remove(${going.runTab})`);
    const { run, record } = await endOf(firefox, going);
    expectLost(run, record);
  });

  it('ends with what is done, and says why, when the host is killed', async () => {
    const firefox = live.inUse();
    const going = await amidRun(firefox);
    for (const { pid } of (await processesOf(live.profile)).filter(isHost)) process.kill(pid, 'SIGKILL');
    const { run, record } = await endOf(firefox, going);
    expectLost(run, record);
  });

  it('ends with what is done, and says why, when Firefox is killed, which then begins as before', async () => {
    const { runId } = await amidRun(live.inUse());
    live.inUse().kill();
    // The host ends with its browser, and the run by itself.
    await expect.poll(() => processesOf(live.profile), longEnough).toEqual([]);

    const written = await readFile(join(live.profile, 'prefs.js'), 'utf8');
    expect(firefoxArmPreferenceNames.filter((name) => written.includes(name))).toEqual([]);

    const again = await live.open();
    expect(await preferences(again)).toEqual(before);
    await listen(again);
    const { run, record } = await endOf(again, { runId, tabs: await tabsOf(again) });
    expectLost(run, record);
  });
});

/** A page of the extension that hears of runs. */
interface ListeningPage {
  browser: {
    runtime: {
      connect(what: { name: string }): ListeningPage['port'];
    };
  };
  port: {
    postMessage(message: PageRequest): void;
    onMessage: { addListener(listener: (message: BackgroundMessage) => void): void };
  };
  runs?: TrackedRun[];
  refused?: string;
}
