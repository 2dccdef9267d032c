import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeViolations, waitForText } from './extension-browser.ts';
import { compareRounds, openRealBrowser, type RealBrowser } from './real-browser.ts';
import { leftovers, machineState } from '../support/leftovers.ts';

let before: string[];
let real: RealBrowser;
beforeAll(async () => {
  before = await machineState();
  real = await openRealBrowser();
});
afterAll(async () => {
  await real.close();
});

it('compares the page from the popup, outlives the background, and shows chart and table', async () => {
  const { chromium, lab } = real;
  const page = await chromium.browser.newPage();
  await page.goto(`${lab.url}twitter/`);
  const popup = await chromium.openPopup(page);
  await waitForText(popup, 'This page came over');

  await compareRounds(popup, 1);
  await popup.waitForFunction(() => /[1-6] of 6 page loads/.test(document.body.innerText), {
    timeout: 60_000,
  });
  expect(await chromium.badge()).toMatch(/^\d\/6$/);

  await chromium.killBackground(popup);
  await popup.waitForFunction(() => document.body.innerText.includes('See results'), { timeout: 90_000 });

  const results = await chromium.openResults();
  await results.waitForSelector('td a, th a');
  await results.click('td a, th a');
  await waitForText(results, 'Every page load');
  const shown = await results.evaluate(() => ({
    charts: document.querySelectorAll('canvas').length,
    rows: document.querySelectorAll('table tr').length,
    text: document.body.innerText,
  }));
  expect(shown.charts).toBeGreaterThan(0);
  expect(shown.rows).toBeGreaterThan(3);
  // Three arms of one counted block, each with Time on Wire from packets on the loopback.
  expect(shown.text.match(/1 \/ 1/g)).toHaveLength(3);
  expect(shown.text).toContain('Time on Wire');
  expect(await axeViolations(results)).toEqual([]);
  await results.close();
}, 240_000);

it('leaves nothing behind but its own stored result', async () => {
  await real.close();
  real.close = () => Promise.resolve();
  expect(await leftovers(before)).toEqual([]);
});
