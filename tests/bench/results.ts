/**
 * How quick the results pages are with a long history: the built extension in Chromium, 1,000 comparisons of 30
 * trials in its store. Time from the start of the navigation (overview) or the change of address (a site, a load,
 * two side by side) until everything in a window of 1280 x 800 is drawn, charts too, and the next frame is painted:
 * a picture of it then and one some time later are compared. What lies below is drawn as it is scrolled to. And the
 * statistics of 3 arms x 200 blocks with 10,000 resamples in the page's worker.
 *
 * script/bench results [comparisons, 1000 unless told]
 */
import type { Page } from 'puppeteer-core';
import { planDesign } from '../../native-host/comparison/design.ts';
import { chromeExtensionId } from '../../shared/messages/extension-ids.ts';
import type { ComparisonRecord } from '../../shared/record/record.ts';
import { summaryOf } from '../../shared/record/comparison-summary.ts';
import { seededGenerator } from '../../shared/stats/seeded-generator.ts';
import { buildExtension, openExtensionBrowser, waitForText } from '../e2e/extension-browser.ts';
import { makeRecord } from '../fixtures/record/make-record.ts';
import { simulatedTrials } from '../support/simulated-trials.ts';
import { simulatedNetworks, simulateRun } from '../support/simulated-network.ts';

const comparisons = Number(process.argv[2] ?? 1000);
const repetitions = 5;
const day = 24 * 60 * 60 * 1000;

await buildExtension();
const chromium = await openExtensionBrowser({ host: false });
try {
  const page = await chromium.openResults();
  await page.setViewport({ width: 1280, height: 800 });
  await waitForText(page, 'No comparison yet');
  const trials = await fill(page);
  console.log(`${comparisons} comparisons, ${trials} trials in the store:`);
  await report('overview', 1000, () => overviewMs(page));
  await sayWhetherFinal(page);
  await report('site page', 300, () => hashMs(page, '#/comparison/bench-7', '.export-bar'));
  await sayWhetherFinal(page);
  await report('page of one load', 300, () => hashMs(page, '#/comparison/bench-7/load/4', '.export-bar'));
  await sayWhetherFinal(page);
  // Its answer is reckoned in the worker: ready is when that is there.
  await report('two side by side', 300, () => hashMs(page, '#/versus/bench-7/bench-17', '.verdict table'));
  await sayWhetherFinal(page);
  await report('statistics of 3 arms x 200 blocks, in the worker', 1000, () => statisticsMs(page));
} finally {
  await chromium.close();
}

async function report(name: string, goalMs: number, measure: () => Promise<number>): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < repetitions; i += 1) times.push(await measure());
  const sorted = times.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(repetitions / 2)] ?? NaN;
  const all = sorted.map((ms) => ms.toFixed(0)).join(', ');
  const held = median <= goalMs ? 'held' : 'NOT HELD';
  console.log(`  ${name}: median ${median.toFixed(0)} ms (${all}); goal ${goalMs} ms: ${held}`);
}

/** Writes the store as {@link ComparisonStore} does, by the page's own database. @returns the number of trials */
async function fill(page: Page): Promise<number> {
  const template = makeRecord({
    design: planDesign({ arms: ['h1', 'h2', 'h3'], rounds: 10, seed: 1, gapMs: 2000 }),
  });
  const trials = template.trials.filter(({ warmup, verdict }) => !warmup && verdict.valid).slice(0, 30);
  const record: ComparisonRecord = { ...template, trials };
  // The page makes the copies itself: a gigabyte of records is too much to hand to a browser.
  await page.evaluate(
    async (text, summary, count, dayMs) => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open('towline');
        opening.onsuccess = () => {
          resolve(opening.result);
        };
        opening.onerror = () => {
          reject(new Error('The store does not open.'));
        };
      });
      for (let place = 0; place < count; place++) {
        const id = `bench-${place}`;
        const createdAt = new Date(Date.UTC(2026, 0, 1) + (place * dayMs) / 3).toISOString();
        const asked = `https://site-${place % 50}.example/`;
        const copy = JSON.parse(text) as { target: object };
        const target = { ...copy.target, asked, url: asked };
        const transaction = database.transaction(['records', 'summaries'], 'readwrite');
        transaction
          .objectStore('records')
          .put({ id, text: JSON.stringify({ ...copy, id, createdAt, target }) });
        const own = JSON.stringify({ ...summary, id, createdAt, asked, url: asked });
        transaction.objectStore('summaries').put({ id, asked, text: own });
        await new Promise((resolve) => (transaction.oncomplete = resolve));
      }
      database.close();
    },
    JSON.stringify(record),
    summaryOf(record),
    comparisons,
    day,
  );
  return comparisons * trials.length;
}

/** From the navigation's start, by the page's own clock. */
async function overviewMs(page: Page): Promise<number> {
  await page.goto('about:blank');
  await page.goto(`chrome-extension://${chromeExtensionId}/options.html`, { waitUntil: 'domcontentloaded' });
  return seen(page, '.list tbody tr', null);
}

/** From the change of address. */
async function hashMs(page: Page, hash: string, selector: string): Promise<number> {
  await page.evaluate(() => (location.hash = '#/settings'));
  await page.waitForSelector('fieldset');
  return seen(page, selector, hash);
}

/**
 * Goes to `hash`, if any. @returns ms from there, or from the navigation's start, until `selector` and every chart in
 * the window are drawn and painted
 */
function seen(page: Page, selector: string, hash: string | null): Promise<number> {
  return page.evaluate(
    (wanted, to) =>
      new Promise<number>((resolve) => {
        const start = to === null ? 0 : performance.now();
        const isSeen = (chart: Element): boolean => chart.getBoundingClientRect().top < innerHeight;
        const look = (): void => {
          const isReady =
            document.querySelector(wanted) &&
            ![...document.querySelectorAll('canvas[aria-busy]')].some(isSeen);
          if (!isReady) {
            requestAnimationFrame(look);
            return;
          }
          requestAnimationFrame(() => {
            setTimeout(() => {
              resolve(performance.now() - start);
            });
          });
        };
        if (to !== null) location.hash = to;
        look();
      }),
    selector,
    hash,
  );
}

/** Holds the window's picture now against one when all that the page does by and by is done. */
async function sayWhetherFinal(page: Page): Promise<void> {
  const now = await page.screenshot({ encoding: 'base64' });
  await page.waitForFunction(() => !document.querySelector('canvas[aria-busy]'));
  await page.waitForNetworkIdle();
  const then = await page.screenshot({ encoding: 'base64' });
  if (now !== then) console.log('    but its first screen changed afterwards');
}

/** From asking the worker to its answer, its start included. */
async function statisticsMs(page: Page): Promise<number> {
  const [network] = simulatedNetworks;
  if (!network) throw new Error('There is no simulated network.');
  const design = planDesign({ arms: ['h1', 'h2', 'h3'], rounds: 200, seed: 1, gapMs: 0 });
  const rows = simulateRun(network, 200, [1.2, 1.1, 1], seededGenerator(1));
  const record = makeRecord({ design, trials: simulatedTrials(['h1', 'h2', 'h3'], rows) });
  return page.evaluate(
    (asked) =>
      new Promise<number>((resolve, reject) => {
        const start = performance.now();
        const worker = new Worker('statistics-worker.js');
        worker.onmessage = ({ data }: MessageEvent<{ answer: { kind: string } }>) => {
          if (data.answer.kind === 'figures') resolve(performance.now() - start);
          else reject(new Error(JSON.stringify(data.answer)));
          worker.terminate();
        };
        worker.postMessage({ id: 1, task: { kind: 'summarise', record: asked } });
      }),
    record,
  );
}
