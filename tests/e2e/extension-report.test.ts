import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer, { type Browser } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { report } from '../../native-host/commands/report.ts';
import { makeRecord } from '../fixtures/record/make-record.ts';
import { axeViolations, waitForText } from './extension-browser.ts';

const built = fileURLToPath(new URL('../../dist/report', import.meta.url));
let directory: string;
let browser: Browser;
let address = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'towline-e2e-report-'));
  const files = await Promise.all(
    ['one', 'two'].map(async (id, index) => {
      const file = join(directory, `${id}.json`);
      await writeFile(
        file,
        JSON.stringify(makeRecord({ id, createdAt: `2026-01-0${index + 1}T00:00:00.000Z` })),
      );
      return file;
    }),
  );
  await report({ files, output: join(directory, 'report') }, (line) => (address = line), built);
  browser = await puppeteer.launch({
    executablePath: '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
});

afterAll(async () => {
  await browser.close();
  await rm(directory, { recursive: true, force: true });
});

it.each(['light', 'dark'])(
  'opens from disk, asks nothing of any network and is accessible (%s)',
  async (value) => {
    const page = await browser.newPage();
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
    const problems: string[] = [];
    page.on('request', (request) => {
      if (!/^(file|data|blob):/.test(request.url())) problems.push(request.url());
    });
    page.on('pageerror', (error) => problems.push(String(error)));

    await page.goto(address);
    await waitForText(page, 'Gains, site by site');
    expect(await axeViolations(page)).toEqual([]);

    await page.click('.list a[href="#/comparison/two"]');
    await waitForText(page, 'HTTP/3 was the fastest');
    // Reckoned by the page's own worker, which starts from disk too.
    await waitForText(page, 'Reckoned again in this browser from the page loads: the same figures.');
    expect(await axeViolations(page)).toEqual([]);

    await page.click('a[href="#/versus/one/two"]');
    await waitForText(page, 'No difference shown');
    expect(await axeViolations(page)).toEqual([]);
    await page.goBack();
    await waitForText(page, 'Every page load');

    await page.click('.invalid a');
    await waitForText(page, 'The rules it was checked by');
    expect(await axeViolations(page)).toEqual([]);

    await page.goBack();
    await waitForText(page, 'Every page load');
    expect(problems).toEqual([]);
    await page.close();
  },
);

it('can be walked through by keyboard, points spoken', async () => {
  const page = await browser.newPage();
  await page.goto(`${address}#/comparison/one`);
  await page.focus('canvas');
  await page.keyboard.press('ArrowRight');
  expect(await page.$eval('[aria-live]', (spoken) => spoken.textContent)).toMatch(/^HTTP\/1\.1: [\d,]+ ms$/);

  await page.goto(`${address}#/`);
  await waitForText(page, 'Gains, site by site');
  await page.focus('canvas');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await waitForText(page, 'Every page load');
  expect(new URL(page.url()).hash).toMatch(/^#\/comparison\/(one|two)$/);
  await page.close();
});

it('has every number of a chart in its table, and nothing wider than a phone', async () => {
  const page = await browser.newPage();
  await page.setViewport({ width: 390, height: 800 });
  await page.goto(`${address}#/comparison/one`);
  await waitForText(page, 'Every page load');
  const figures = await page.$$eval('figure', (all) =>
    all.map((each) => each.querySelectorAll('tbody tr').length),
  );
  expect(figures.every((rows) => rows >= 3)).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.close();
});
