import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RunStatus } from '../../shared/messages/run-status.ts';
import { makeRecord } from '../fixtures/record/make-record.ts';
import {
  axeViolations,
  dropFile,
  openExtensionBrowser,
  waitForText,
  type ExtensionBrowser,
} from './extension-browser.ts';

let server: Server;
let url: string;
let chromium: ExtensionBrowser;

beforeAll(async () => {
  server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>A page</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterAll(() => {
  server.close();
});

/** Each test begins without a popup: a browser has one at most. */
afterEach(async () => {
  for (const target of chromium.browser.targets()) {
    if (target.url().endsWith('/popup.html')) await (await target.asPage()).close();
  }
});

async function openPopupOverPage(): Promise<Page> {
  const page = await chromium.browser.newPage();
  await page.goto(url);
  return chromium.openPopup(page);
}

/** Labels of what has the focus, one press of Tab after the other, until it comes round. */
async function reachedByTab(popup: Page): Promise<(string | null)[]> {
  const reached: (string | null)[] = [];
  const focused = () => popup.evaluate(() => document.activeElement?.textContent ?? null);
  for (let presses = 0; presses < 30; presses++) {
    await popup.keyboard.press('Tab');
    reached.push(await focused());
  }
  return reached;
}

function running(trialsDone: number, runId = 'run-1'): RunStatus {
  return {
    runId,
    url,
    arms: ['h1', 'h2', 'h3'],
    startedAt: new Date().toISOString(),
    state: 'running',
    activity: 'Block 2: loading over HTTP/2.',
    trialsDone,
    trialsPlanned: 15,
    trialsValid: trialsDone,
    currentArm: 'h2',
    remainingMs: 48_000,
    medians: [{ arm: 'h1', valid: 2, timeOnWireMs: 2904, loadTimeMs: 3266 }],
    narrowing: {
      metric: 'timeOnWireMs',
      confidence: 0.95,
      precisionPercent: 3,
      pairs: [{ baseline: 'h1', variant: 'h2', value: 9.9, low: 5.7, high: 14.1 }],
      halfWidthsPercent: [12.44, 4.2],
    },
    error: null,
  };
}

const complete = (): RunStatus => ({ ...running(15), state: 'complete', activity: 'Done.', remainingMs: 0 });

describe('with a host', () => {
  beforeAll(async () => {
    chromium = await openExtensionBrowser();
  });
  afterAll(async () => {
    await chromium.close();
  });

  it('has nothing to compare on pages of the browser itself', async () => {
    const page = await chromium.browser.newPage();
    const popup = await chromium.openPopup(page);
    await waitForText(popup, 'Only web pages can be compared');
    await popup.close();
  });

  it('goes from the toolbar button to the charts, across the death of the background', async () => {
    const popup = await openPopupOverPage();
    await waitForText(popup, 'This page came over\nHTTP/1.1');
    await waitForText(popup, 'Observed, not a comparison');
    for (const value of ['dark', 'light']) {
      await popup.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
      expect(await axeViolations(popup)).toEqual([]);
    }
    expect(await reachedByTab(popup)).toEqual(
      expect.arrayContaining(['Compare this page', 'All results', 'Record this site']),
    );
    // The largest a popup may be, 800 by 600, at 200 % zoom.
    await popup.setViewport({ width: 400, height: 300, deviceScaleFactor: 2 });
    const ends = await popup.$$eval('body *', (all) => all.map((each) => each.getBoundingClientRect().right));
    expect(Math.max(...ends)).toBeLessThanOrEqual(400);

    await popup.select('.rounds select', 'every gain is known to ±\u00a03\u00a0%');
    await waitForText(
      popup,
      'Page loads in fresh browsers: at most 153. Rounds after a warm-up: at most 50.',
    );
    await popup.click('form button[type=submit]');
    expect(await chromium.asked('compare')).toMatchObject({
      url,
      arms: ['h1', 'h2', 'h3'],
      rounds: 50,
      precisionPercent: 3,
      shape: null,
    });
    await chromium.writeStatus(running(7));
    await waitForText(popup, '7 of 15 page loads');
    await waitForText(popup, '2,904');
    await waitForText(popup, 'Known to ± 12 % at first, to ± 4.2 % now. Goal: ± 3 %.');
    expect(await chromium.badge()).toBe('7/15');
    expect(await axeViolations(popup)).toEqual([]);

    await chromium.killBackground(popup);
    const record = makeRecord();
    await chromium.writeRecord(record);
    await chromium.writeStatus(complete());
    await waitForText(popup, 'HTTP/3 was the fastest');
    expect(await chromium.badge()).toBe('✓');
    expect(await chromium.asked('release')).toMatchObject({ runId: 'run-1' });
    expect(await axeViolations(popup)).toEqual([]);

    const results = await chromium.openResults();
    await waitForText(results, record.target.asked);
    await results.click(`a[href$="${record.id}"]`);
    await waitForText(results, '1 page load does not count');
    await waitForText(results, 'the document came over h2, not h3');
    await results.waitForFunction(() => !document.querySelector('canvas[aria-busy]'));
    expect(await results.$$eval('canvas', (drawings) => drawings.map(({ width }) => width > 300))).toEqual(
      Array(8).fill(true),
    );
    expect(await axeViolations(results)).toEqual([]);
  });

  it('stops a run when asked to', async () => {
    await chromium.writeStatus(running(3, 'run-2'));
    const popup = await openPopupOverPage();
    await waitForText(popup, '3 of 15 page loads');
    await popup.click('.run button');
    expect(await chromium.asked('cancel')).toMatchObject({ runId: 'run-2' });
  });

  it('says why a run failed and what to do', async () => {
    await chromium.writeStatus({
      ...running(0, 'run-3'),
      state: 'failed',
      error: {
        code: 'name-not-resolved',
        stage: 'browser',
        message: 'The name synthetic.invalid does not exist.',
        remedy: 'Check the address.',
      },
    });
    const popup = await openPopupOverPage();
    await waitForText(popup, 'The name synthetic.invalid does not exist.');
    await waitForText(popup, 'Check the address.');
    expect(await axeViolations(popup)).toEqual([]);
  });
});

describe('without a host', () => {
  beforeAll(async () => {
    chromium = await openExtensionBrowser({ host: false });
  });
  afterAll(async () => {
    await chromium.close();
  });

  it('gives the one command that installs it', async () => {
    const popup = await openPopupOverPage();
    await waitForText(popup, 'The measuring host is not installed.');
    expect(await popup.$eval('code', (command) => command.textContent)).toBe('bin/towline install');
    expect(await axeViolations(popup)).toEqual([]);
  });

  it('opens a record from a file on the results page, shows it, and deletes it after asking', async () => {
    const results = await chromium.openResults();
    await waitForText(results, 'No comparison yet');
    expect(await axeViolations(results)).toEqual([]);
    await dropFile(results, 'good.json', JSON.stringify(makeRecord()));
    await waitForText(results, 'HTTP/3 was the fastest');
    await results.click('td a, th a');
    await waitForText(results, 'Every page load');
    await results.evaluate(() => document.querySelector<HTMLElement>('.delete button')?.click());
    await waitForText(results, 'Delete this comparison for good?');
    await results.click('button.danger');
    await waitForText(results, 'No comparison yet');
  });

  it('names a damaged file and goes on', async () => {
    const results = await chromium.openResults();
    await waitForText(results, 'No comparison yet');
    await dropFile(results, 'torn.json', '{"format":"towline-');
    await waitForText(results, 'torn.json');
    await dropFile(results, 'good.json', JSON.stringify(makeRecord()));
    await waitForText(results, 'HTTP/3 was the fastest');
  });

  it('welcomes a new person, and sees by itself that the host was installed', async () => {
    const welcome = await chromium.openWelcome();
    await waitForText(welcome, 'bin/towline install');
    expect(await axeViolations(welcome)).toEqual([]);
    await chromium.installHost();
    await waitForText(welcome, 'You are ready.');
    expect(await axeViolations(welcome)).toEqual([]);
  });
});

describe('in German', () => {
  beforeAll(async () => {
    chromium = await openExtensionBrowser({ german: true });
  });
  afterAll(async () => {
    await chromium.close();
  });

  it('speaks German, by the browser’s own choice of messages', async () => {
    const popup = await openPopupOverPage();
    await waitForText(popup, 'Diese Seite vergleichen');
    expect(await popup.evaluate(() => document.documentElement.lang)).toBe('de');
    await chromium.writeStatus({
      ...running(0),
      state: 'failed',
      error: {
        code: 'name-not-resolved',
        stage: 'trial',
        message:
          'https://nowhere.example/ could not be loaded: its name has no address (ERR_NAME_NOT_RESOLVED).',
        remedy: 'Check the spelling of the address and that this machine is online.',
      },
    });
    await waitForText(popup, 'https://nowhere.example/ ließ sich nicht laden: zu ihrem Namen gibt es keine');
    await waitForText(popup, 'Prüfen Sie, ob die Adresse richtig geschrieben');
    expect(await axeViolations(popup)).toEqual([]);
  });
});
