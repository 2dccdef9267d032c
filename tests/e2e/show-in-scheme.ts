import type { Page } from 'puppeteer-core';

/** Shows a page in light or dark colours, and waits until all its charts are drawn in them and painted. */
export async function showInScheme(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.evaluate((wanted) => {
    if (matchMedia(`(prefers-color-scheme: ${wanted})`).matches) return;
    for (const canvas of document.querySelectorAll('canvas')) canvas.dataset.old = '';
  }, scheme);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.waitForFunction(() => !document.querySelector('canvas[data-old], canvas[aria-busy]'));
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}
