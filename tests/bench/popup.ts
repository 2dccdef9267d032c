/**
 * How long the popup takes from being opened to its content, as the browser's own User Timing says: over a page
 * with 300 requests, with the recorder on, so that there is as much to show as there can be.
 *
 * script/bench popup [--times N]   (default 20)
 */
import { parseArgs } from 'node:util';
import { median, quantile } from '../../shared/stats/quantile.ts';
import { buildExtension, openExtensionBrowser, waitForText } from '../e2e/extension-browser.ts';
import { startThreeOrigins } from '../support/three-origins.ts';

const { values } = parseArgs({ options: { times: { type: 'string', default: '20' } } });

await buildExtension();
const origins = await startThreeOrigins();
const chromium = await openExtensionBrowser({
  agreed: true,
  environment: { ...process.env, ...origins.environment },
});
const times: number[] = [];
const tables: number[] = [];
try {
  const settings = await chromium.openResults('#/recorder');
  await settings.evaluate(`chrome.storage.local.set({ recorder: { scope: 'all' } })`);
  await settings.waitForFunction(
    'chrome.scripting.getRegisteredContentScripts().then(all => all.length === 1)',
  );
  const page = await chromium.browser.newPage();
  await page.goto(origins.url);
  for (let each = 0; each < Number(values.times); each++) {
    const popup = await chromium.openPopup(page);
    await waitForText(popup, 'Observed, not a comparison');
    const marked = (name: string) =>
      popup.evaluate((mark) => performance.getEntriesByName(mark)[0]?.startTime ?? NaN, name);
    times.push(await marked('towline-content'));
    tables.push(await marked('towline-observed'));
    await popup.close();
  }
} finally {
  await chromium.close();
  await origins.close();
}

const line = (what: string, of: readonly number[]): string =>
  `${what}: median ${median(of)?.toFixed(0) ?? '–'} ms, p90 ${quantile(of, 0.9)?.toFixed(0) ?? '–'} ms, ` +
  `most ${Math.max(...of).toFixed(0)} ms, first ${of[0]?.toFixed(0) ?? '–'} ms`;
console.log(`${line('popup to content', times)} (goal: at most 100)`);
console.log(line('popup to the table of 301 requests', tables));
