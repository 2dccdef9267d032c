/**
 * Makes the pictures in store-assets/ from a real run: a comparison of the lab's youtube page on a shaped path for
 * the results page, and one started from the popup over the lab's own site. Run by script/screenshots.
 *
 * script/screenshots [RECORD]   a record to show instead of measuring one
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { towline } from '../support/towline.ts';
import { dropFile, waitForText } from './extension-browser.ts';
import { compareRounds, openRealBrowser } from './real-browser.ts';

const schemes = ['light', 'dark'] as const;
const [, , givenRecord] = process.argv;

const scratch = await mkdtemp(join(tmpdir(), 'screenshots-'));
const real = await openRealBrowser();
try {
  const record = givenRecord ?? (await measure());
  const { chromium, lab } = real;

  const page = await chromium.browser.newPage();
  await page.goto(`${lab.url}youtube/`);
  const popup = await chromium.openPopup(page);
  await waitForText(popup, 'This page came over');
  await shoot(popup, 'popup');
  await compareRounds(popup, 1);
  await popup.waitForFunction(() => /[3-5] of 6 page loads/.test(document.body.innerText), {
    timeout: 60_000,
  });
  await shoot(popup, 'popup-running');
  await popup.waitForFunction(() => document.body.innerText.includes('See results'), { timeout: 60_000 });

  const results = await chromium.openResults();
  await results.setViewport({ width: 1280, height: 800 });
  await dropFile(results, 'record.json', await readFile(record, 'utf8'));
  await waitForText(results, 'lab:youtube');
  await shoot(results, 'overview');
  await results.evaluate(() => {
    const links = [...document.querySelectorAll<HTMLAnchorElement>('td a, th a')];
    links.find(({ textContent }) => textContent.includes('lab:youtube'))?.click();
  });
  await waitForText(results, 'Every page load');
  await shoot(results, 'results');
} finally {
  await real.close();
  await rm(scratch, { recursive: true, force: true });
}

async function measure(): Promise<string> {
  const file = join(scratch, 'record.json');
  const { status, stderr } = await towline([
    ...['compare', 'lab:youtube', '--rounds', '7', '--gap', '0', '--seed', '1'],
    ...['--shape', 'rtt=150ms,down=1mbit,up=1mbit,queue=256', '--json', file],
  ]);
  if (status !== 0) throw new Error(`the comparison ended with ${status}:\n${stderr}`);
  return file;
}

async function shoot(page: Page, name: string): Promise<void> {
  for (const scheme of schemes) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    // Two frames: the charts are drawn anew in the other colours before the picture is taken.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    const path = join('store-assets', `${name}-${scheme}.png`);
    await page.screenshot({ path });
    console.log(path);
  }
}
