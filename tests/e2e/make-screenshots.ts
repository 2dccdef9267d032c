/**
 * Makes the pictures in store-assets/ from real runs: comparisons of the lab's pages on shaped paths for the results
 * page, and one started from the popup over the lab's own site. Run by script/screenshots.
 *
 * script/screenshots [RECORD...]   records to show instead of measuring some; the first is the one shown in detail
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { hashOf } from '../../extension/options/route.ts';
import { readRecord } from '../../shared/record/read-record.ts';
import { towline } from '../support/towline.ts';
import { dropFile, waitForText } from './extension-browser.ts';
import { compareRounds, openRealBrowser } from './real-browser.ts';
import { showInScheme } from './show-in-scheme.ts';
import { drawPopups, drawTile, shootForStore } from './store-images.ts';

const schemes = ['light', 'dark'] as const;
const given = process.argv.slice(2);

const scratch = await mkdtemp(join(tmpdir(), 'screenshots-'));
const real = await openRealBrowser();
try {
  const files = given.length > 0 ? given : await measure();
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const [main] = texts.map((text, index) => readRecord(text, files[index] ?? ''));
  if (!main) throw new Error('there is no record to show');
  const { chromium, lab } = real;

  const results = await chromium.openResults();
  await results.setViewport({ width: 1280, height: 800 });
  for (const [index, text] of texts.entries()) {
    await dropFile(results, `record-${index}.json`, text);
    await results.waitForFunction(
      (rows) => document.querySelectorAll('tbody a[href*="comparison"]').length >= rows,
      { timeout: 30_000 },
      index + 1,
    );
  }
  await shoot(results, 'overview');
  const comparison = hashOf({ page: 'comparison', id: main.id });
  await open(results, comparison, 'Every page load');
  await shoot(results, 'results');

  const pictures = [await shootForStore(results, '1-answer')];
  await scrollTo(results, 'Times');
  pictures.push(await shootForStore(results, '2-times'));
  const shown = main.trials.find(({ arm, verdict, warmup }) => arm === 'h2' && verdict.valid && !warmup);
  await open(results, hashOf({ page: 'trial', id: main.id, index: shown?.index ?? 0 }), 'Requests over time');
  await scrollTo(results, 'Requests over time');
  pictures.push(await shootForStore(results, '3-requests'));
  await open(results, hashOf({ page: 'overview' }), 'Answers');
  await scrollTo(results, 'Answers');
  pictures.push(await shootForStore(results, '4-overview'));
  await results.close();

  // Last, so that the overview shows the comparisons measured for it alone.
  const page = await chromium.browser.newPage();
  await page.goto(`${lab.url}youtube/`);
  const popup = await chromium.openPopup(page);
  await waitForText(popup, 'Record this site');
  await shoot(popup, 'popup');
  await compareRounds(popup, 2);
  await popup.waitForFunction(() => document.body.innerText.includes('Medians so far'), { timeout: 60_000 });
  await shoot(popup, 'popup-running');

  const canvas = await chromium.browser.newPage();
  await drawPopups(canvas, ['store-assets/popup-light.png', 'store-assets/popup-running-light.png']);
  pictures.push(await shootForStore(canvas, '5-popup'), await drawTile(canvas));
  console.log(pictures.join('\n'));
} finally {
  await real.close();
  await rm(scratch, { recursive: true, force: true });
}

/** Two pages on a fast line and a slow one: the overview then has something to compare. */
async function measure(): Promise<string[]> {
  const slow = 'rtt=100ms,down=4mbit,up=2mbit,queue=256';
  const fast = 'rtt=40ms,down=16mbit,up=8mbit,queue=256';
  const runs = [
    ['lab:youtube', slow],
    ['lab:youtube', fast],
    ['lab:twitter', slow],
    ['lab:twitter', fast],
  ] as const;
  const files: string[] = [];
  for (const [page, shape] of runs) {
    const file = join(scratch, `record-${files.length}.json`);
    const { status, stderr } = await towline([
      ...['compare', page, '--rounds', '8', '--gap', '0', '--seed', '1', '--shape', shape, '--json', file],
    ]);
    if (status !== 0) throw new Error(`the comparison of ${page} ended with ${status}:\n${stderr}`);
    files.push(file);
  }
  return files;
}

async function open(page: Page, hash: string, expected: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await waitForText(page, expected);
}

/** Puts the section of this heading at the top of the window, with some air above. */
async function scrollTo(page: Page, heading: string): Promise<void> {
  await page.evaluate((title) => {
    const headings = [...document.querySelectorAll('h2')];
    const found = headings.find(({ textContent }) => textContent === title);
    if (found) window.scrollTo(0, scrollY + found.getBoundingClientRect().top - 24);
  }, heading);
}

async function shoot(page: Page, name: string): Promise<void> {
  for (const scheme of schemes) {
    await showInScheme(page, scheme);
    const path = join('store-assets', `${name}-${scheme}.png`);
    await page.screenshot(
      page.url().endsWith('/popup.html') ? { path, clip: await wholeParts(page) } : { path },
    );
    console.log(path);
  }
}

/**
 * The parts of a popup that fit whole into the most height a browser gives one: headless, its window keeps its first
 * size, which would cut or widen it.
 */
async function wholeParts(popup: Page): Promise<{ x: number; y: number; width: number; height: number }> {
  const { width, ends } = await popup.evaluate(() => ({
    width: document.body.offsetWidth,
    ends: [...document.querySelectorAll('.content, .below > section')].map(
      (part) => part.getBoundingClientRect().bottom,
    ),
  }));
  return { x: 0, y: 0, width, height: Math.floor(Math.max(...ends.filter((end) => end <= 600))) };
}
