/**
 * Renders store-assets/icon.svg to the extension's PNG icons, in headless Chromium. Run after changing the
 * drawing; its results are committed. Usage: node script/icons.mjs [CHROMIUM]
 */
import { readFile, writeFile } from 'node:fs/promises';
import puppeteer from 'puppeteer-core';

const root = new URL('..', import.meta.url).pathname;
const svg = await readFile(`${root}store-assets/icon.svg`, 'utf8');
const browser = await puppeteer.launch({
  executablePath: process.argv[2] ?? '/usr/bin/chromium',
  // As root, as in a container, Chromium refuses its sandbox; what it draws here is our own file.
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const page = await browser.newPage();
  for (const size of [16, 32, 48, 128]) {
    await page.setViewport({ width: size, height: size });
    await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px}</style>${svg}`);
    const png = await page.screenshot({ omitBackground: true });
    await writeFile(`${root}extension/icons/icon-${size}.png`, png);
  }
} finally {
  await browser.close();
}
