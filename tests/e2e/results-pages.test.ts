import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ComparisonRecord } from '../../shared/record/record.ts';
import { makeRecord } from '../fixtures/record/make-record.ts';
import {
  axeViolations,
  dropFile,
  openExtensionBrowser,
  waitForText,
  type ExtensionBrowser,
} from './extension-browser.ts';

let chromium: ExtensionBrowser;
let results: Page;

beforeAll(async () => {
  chromium = await openExtensionBrowser({ host: false });
});

afterAll(async () => {
  await chromium.close();
});

beforeEach(async () => {
  results = await chromium.openResults();
});

async function open(hash: string): Promise<void> {
  await results.evaluate((to) => (location.hash = to), hash);
}

async function add(record: ComparisonRecord): Promise<void> {
  await dropFile(results, `${record.id}.json`, JSON.stringify(record));
  await results.waitForSelector(`a[href="#/comparison/${record.id}"]`);
}

interface Saved {
  name: string;
  text: string;
  /** How many colours a picture has; null of other files. */
  colours: number | null;
}

/** Clicks every button of this name; gives what the page saves, in place of the browser's own saving. */
async function saved(button: string): Promise<Saved[]> {
  return results.evaluate(async (label) => {
    const files: { name: string; content: Blob }[] = [];
    const contents = new Map<string, Blob>();
    const makeUrl = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (content: Blob) => {
      const url = makeUrl(content);
      contents.set(url, content);
      return url;
    };
    // Every element has it from HTMLElement: one of the anchors' own hides that until it is taken away.
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      const content = contents.get(this.href);
      if (content) files.push({ name: this.download, content });
    };
    const buttons = [...document.querySelectorAll('button')].filter((each) => each.textContent === label);
    for (const each of buttons) each.click();
    // A picture is ready only some time after the click.
    while (files.length < buttons.length) await new Promise((resolve) => setTimeout(resolve, 20));
    URL.createObjectURL = makeUrl;
    Reflect.deleteProperty(HTMLAnchorElement.prototype, 'click');
    const coloursOf = async (picture: Blob): Promise<number> => {
      const bitmap = await createImageBitmap(picture);
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
      context?.drawImage(bitmap, 0, 0);
      return new Set(
        new Uint32Array(context?.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer ?? []),
      ).size;
    };
    return Promise.all(
      files.map(async ({ name, content }) => ({
        name,
        text: await content.text(),
        colours: content.type === 'image/png' ? await coloursOf(content) : null,
      })),
    );
  }, button);
}

it('gives back the same record after export and import', async () => {
  await waitForText(results, 'No comparison yet');
  const record = makeRecord({ id: 'there-and-back' });
  await add(record);
  await open('#/comparison/there-and-back');
  await waitForText(results, 'Every page load');
  const [file] = await saved('Save record (JSON)');
  expect(file?.name).toBe('towline-synthetic.example-2026-01-01.json');
  expect(JSON.parse(file?.text ?? '')).toEqual(record);

  await results.evaluate(() => document.querySelector<HTMLElement>('.delete button')?.click());
  await results.click('button.danger');
  await waitForText(results, 'No comparison yet');
  await dropFile(results, 'again.json', file?.text ?? '');
  await waitForText(results, 'HTTP/3 was the fastest');
  await open('#/comparison/there-and-back');
  await waitForText(results, 'Every page load');
  const [again] = await saved('Save record (JSON)');
  expect(again).toEqual(file);
});

it('shows where the time went as shares of the whole too, by keyboard', async () => {
  await open('#/comparison/there-and-back');
  const tableOf = (caption: string): Promise<number[][]> =>
    results.evaluate((words) => {
      const tables = [...document.querySelectorAll('table')];
      const rows = [...(tables.find((each) => each.caption?.textContent === words)?.rows ?? [])].slice(1);
      return rows.map((row) => [...row.cells].slice(1).map((cell) => Number.parseFloat(cell.textContent)));
    }, caption);
  await results.waitForSelector('.chart-control button');
  await results.focus('.chart-control button:last-of-type');
  await results.keyboard.press('Enter');
  const shares = await tableOf('Each phase as a share of the time of all requests of a page');
  expect(shares).toHaveLength(3);
  for (const row of shares) {
    const whole = row.filter(Number.isFinite).reduce((sum, share) => sum + share, 0);
    // Seven shares, each rounded to a tenth of a percent.
    expect(Math.abs(whole - 100)).toBeLessThanOrEqual(0.35);
  }
  // The keyboard stays at the choice.
  await results.keyboard.down('Shift');
  await results.keyboard.press('Tab');
  await results.keyboard.up('Shift');
  await results.keyboard.press('Enter');
  const times = await tableOf('Mean time per phase, summed over all requests of a page, ms');
  expect(times).toHaveLength(3);
});

it('saves every chart as a PNG picture and an SVG document, and loads as CSV and HAR', async () => {
  await open('#/comparison/there-and-back');
  await waitForText(results, 'Every page load');
  const charts = await results.$$eval('canvas', ({ length }) => length);
  const pixels = await saved('Save PNG');
  expect(pixels).toHaveLength(charts);
  // Drawn, not empty: a background, axes, words with soft edges, marks.
  for (const { colours } of pixels) expect(colours).toBeGreaterThan(10);
  const pictures = await saved('Save SVG');
  expect(pictures).toHaveLength(charts);
  const read = await results.evaluate(
    (texts) =>
      texts.map((text) => {
        const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
        return { root: root.nodeName, words: root.querySelectorAll('text').length };
      }),
    pictures.map(({ text }) => text),
  );
  for (const { root, words } of read) {
    expect(root).toBe('svg');
    expect(words).toBeGreaterThan(3);
  }
  expect((await saved('Loads (CSV)'))[0]?.text.split('\r\n')).toHaveLength(makeRecord().trials.length + 2);
  const har = JSON.parse((await saved('All loads (HAR)'))[0]?.text ?? '') as { log: { entries: unknown[] } };
  expect(har.log.entries).toHaveLength(makeRecord().trials.flatMap(({ resources }) => resources).length);
});

it('filters and sorts the overview, and shows a page over time, accessibly', async () => {
  const elsewhere = 'https://elsewhere.example/';
  for (const day of [2, 3]) {
    await add(
      makeRecord({
        id: `elsewhere-${day}`,
        createdAt: `2026-01-0${day}T12:00:00.000Z`,
        target: { asked: elsewhere, url: elsewhere, lab: null },
      }),
    );
  }
  await waitForText(results, '3 of 3 comparisons');
  expect(await axeViolations(results)).toEqual([]);

  await results.select('.filters select', elsewhere);
  await waitForText(results, '2 of 3 comparisons');
  await waitForText(results, 'This page over time');
  const times = (): Promise<string[]> =>
    results.$$eval('.list tbody a', (links) => links.map((link) => link.getAttribute('href') ?? ''));
  expect(await times()).toEqual(['#/comparison/elsewhere-3', '#/comparison/elsewhere-2']);
  await results.click('.list th[aria-sort] button');
  expect(await times()).toEqual(['#/comparison/elsewhere-2', '#/comparison/elsewhere-3']);
  expect(await axeViolations(results)).toEqual([]);

  // The choice is still there after a look at a comparison, and the way to compare two leads from it.
  await open('#/comparison/elsewhere-3');
  await waitForText(results, 'Other comparisons of this page');
  await results.click('a[href="#/versus/elsewhere-2/elsewhere-3"]');
  await waitForText(results, 'What was different');
  await waitForText(results, 'No difference shown');
  expect(await axeViolations(results)).toEqual([]);
  await open('#/');
  await waitForText(results, '2 of 3 comparisons');
});

it('shows a load with its packets over time, accessibly', async () => {
  await open('#/comparison/there-and-back/load/4');
  await waitForText(results, 'Packets over time');
  expect(await axeViolations(results)).toEqual([]);
  const [har] = await saved('Save this load (HAR)');
  expect(har?.name).toMatch(/-load-5-h[123]\.har$/);
});

it('goes on when an entry of the store is damaged', async () => {
  await results.evaluate(async () => {
    const opening = indexedDB.open('towline');
    const database = await new Promise<IDBDatabase>((resolve) => {
      opening.onsuccess = () => {
        resolve(opening.result);
      };
    });
    const transaction = database.transaction(['records', 'summaries'], 'readwrite');
    transaction.objectStore('records').put({ id: 'torn', text: '{"format":"towline-re' });
    transaction
      .objectStore('summaries')
      .put({ id: 'torn', asked: 'https://torn.example/', text: '{"pairs":7' });
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    database.close();
  });
  await results.reload();
  await waitForText(results, 'This entry is damaged and cannot be shown.');
  await waitForText(results, 'HTTP/3 was the fastest');
  await open('#/comparison/torn');
  await waitForText(results, 'This comparison cannot be shown');
  expect(await axeViolations(results)).toEqual([]);
  await results.evaluate(() => document.querySelector<HTMLElement>('.delete button')?.click());
  await results.click('button.danger');
  await results.waitForFunction(() => document.body.innerText.includes('3 of 3 comparisons'));
  expect(await results.$('a[href="#/comparison/torn"]')).toBeNull();
});
