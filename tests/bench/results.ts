/**
 * How quick the results pages are with a long history: the built extension in Chromium, 1,000 comparisons of 30
 * trials in its store. Time from the start of the navigation (overview) or the change of address (a site, a load,
 * two side by side) until the page is drawn with its charts and the next frame is painted; and the statistics of 3
 * arms x 200 blocks with 10,000 resamples in the page's worker.
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
  await waitForText(page, 'No comparison yet');
  const trials = await fill(page);
  console.log(`${comparisons} comparisons, ${trials} trials in the store:`);
  await report('overview', 1000, () => overviewMs(page));
  await report('site page', 300, () => hashMs(page, '#/comparison/bench-7', 'h1.address', 7));
  await report('page of one load', 300, () => hashMs(page, '#/comparison/bench-7/load/4', '.facts', 2));
  await report('two side by side', 300, () => hashMs(page, '#/versus/bench-7/bench-17', 'h1.address', 2));
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
        transaction.objectStore('summaries').put({ ...summary, id, createdAt, asked, url: asked });
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

/** From the navigation's start, by the page's own clock, until list and charts are there and painted. */
async function overviewMs(page: Page): Promise<number> {
  await page.goto('about:blank');
  await page.goto(`chrome-extension://${chromeExtensionId}/options.html`, { waitUntil: 'domcontentloaded' });
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const look = (): void => {
          if (document.querySelector('canvas') && document.querySelector('.list tbody tr')) {
            requestAnimationFrame(() => {
              setTimeout(() => {
                resolve(performance.now());
              });
            });
          } else requestAnimationFrame(look);
        };
        look();
      }),
  );
}

/** From the change of address until what is looked for and so many charts are there and painted. */
async function hashMs(page: Page, hash: string, selector: string, charts: number): Promise<number> {
  await page.evaluate(() => (location.hash = '#/settings'));
  await page.waitForSelector('fieldset');
  return page.evaluate(
    (to, wanted, count) =>
      new Promise<number>((resolve) => {
        const start = performance.now();
        const look = (): void => {
          if (document.querySelector(wanted) && document.querySelectorAll('canvas').length >= count) {
            requestAnimationFrame(() => {
              setTimeout(() => {
                resolve(performance.now() - start);
              });
            });
          } else requestAnimationFrame(look);
        };
        location.hash = to;
        look();
      }),
    hash,
    selector,
    charts,
  );
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
