import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { showInScheme } from './show-in-scheme.ts';

const directory = 'store-assets/store';

/** The size that the Chrome Web Store asks of screenshots; addons.mozilla.org takes it too. */
const screenshot = { width: 1280, height: 800 };
/** Its small promotional tile. */
const tile = { width: 440, height: 280 };

/** Takes a picture for the stores, in the light colours. @returns its file */
export async function shootForStore(page: Page, name: string): Promise<string> {
  await page.setViewport(screenshot);
  return await take(page, name);
}

/** Puts pictures of the popup, smaller than a screenshot may be, side by side on a page of the right size. */
export async function drawPopups(page: Page, pictures: readonly string[]): Promise<void> {
  const images = await Promise.all(
    pictures.map(async (path) => `<img alt="" src="${await dataAddress(path, 'image/png')}">`),
  );
  await draw(
    page,
    screenshot,
    `main { flex-direction: column; gap: 40px } div { display: flex; gap: 48px; align-items: flex-start }
     img { border-radius: 12px; box-shadow: 0 12px 40px #0006 } h1 { font-size: 34px }`,
    `<h1>One click compares the page you are on</h1><div>${images.join('')}</div>`,
  );
}

/** Draws the small promotional tile: the icon, the name, and what it is for. @returns its file */
export async function drawTile(page: Page): Promise<string> {
  const icon = await dataAddress('store-assets/icon.svg', 'image/svg+xml');
  await draw(
    page,
    tile,
    `main { gap: 28px } img { width: 112px } h1 { font-size: 44px } p { margin: 8px 0 0; font-size: 19px }`,
    `<img alt="" src="${icon}"><div><h1>Towline</h1><p>HTTP/1.1, 2 and 3<br>on your own line</p></div>`,
  );
  return await take(page, 'tile');
}

async function draw(page: Page, size: typeof screenshot, style: string, body: string): Promise<void> {
  await page.setViewport(size);
  await page.setContent(
    `<style>
       body { margin: 0; background: #112d42; color: #f3f8fb;
         font-family: system-ui, sans-serif }
       main { display: flex; align-items: center; justify-content: center;
         width: ${size.width}px; height: ${size.height}px }
       h1 { margin: 0; font-weight: 600 }
       ${style}
     </style><main>${body}</main>`,
  );
}

async function take(page: Page, name: string): Promise<string> {
  await showInScheme(page, 'light');
  await mkdir(directory, { recursive: true });
  const path = join(directory, `${name}.png`);
  await page.screenshot({ path });
  return path;
}

async function dataAddress(path: string, type: string): Promise<string> {
  return `data:${type};base64,${(await readFile(path)).toString('base64')}`;
}
