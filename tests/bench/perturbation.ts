/**
 * What the recorder costs: the same page, cold, in a bare browser, in one with extension and recorder, and in
 * one that notes servers' addresses too; in randomised blocks, the browsers open side by side. Then the main
 * thread's time in the content script, by the browser's own trace, and the sizes of what is shipped.
 *
 * script/bench perturbation [--rounds N] [--page NAME]   (default 30 blocks of lab page imgur over h2)
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { serveLab } from '../../lab/serve.ts';
import { gainOf } from '../../shared/stats/gain.ts';
import { median } from '../../shared/stats/quantile.ts';
import { seededGenerator } from '../../shared/stats/seeded-generator.ts';
import { shuffled } from '../../shared/stats/shuffle.ts';
import { chromeExtensionId } from '../../shared/messages/extension-ids.ts';
import { buildExtension, openExtensionBrowser } from '../e2e/extension-browser.ts';
import { stored, storedAs } from '../e2e/observations.ts';
import { trustInHome } from '../support/test-servers.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '30' }, page: { type: 'string', default: 'imgur' } },
});
const rounds = Number(values.rounds);
const warmup = 2;
const traced = 10;
const random = seededGenerator(1);

await buildExtension();
const home = await mkdtemp(join(tmpdir(), 'towline-perturbation-'));
const lab = await serveLab({ port: 0 });
const ends: (() => Promise<unknown>)[] = [];
try {
  await trustInHome(home, lab.caPath);
  const environment = { ...process.env, HOME: home };
  const browsers = {
    bare: await openBare(environment),
    recorder: await openRecorder(environment, 'pages'),
    addresses: await openRecorder(environment, true),
  };
  type Arm = keyof typeof browsers;
  const arms = Object.keys(browsers) as Arm[];
  const times: Record<Arm, number[]> = { bare: [], recorder: [], addresses: [] };
  for (let block = 0; block < warmup + rounds; block++) {
    for (const arm of shuffled(arms, random)) {
      const { loadMs } = await load(browsers[arm], null);
      if (block >= warmup) times[arm].push(loadMs);
    }
  }
  console.log(`lab:${values.page} on this machine's loopback, h2, cold, ${rounds} blocks`);
  for (const arm of arms)
    console.log(`  ${arm.padEnd(10)} median load time ${middle(times[arm]).toFixed(1)} ms`);
  for (const arm of ['recorder', 'addresses'] as const) {
    // "Gain" of going back to the bare browser: the ratio of the load times.
    const ratio = gainOf(
      { baseline: Float64Array.from(times[arm]), variant: Float64Array.from(times.bare) },
      { confidence: 0.95, resamples: 10_000, seed: 1 },
    )?.gain;
    const [value, low, high] = [ratio?.value, ratio?.low, ratio?.high].map((of) => of?.toFixed(3) ?? '–');
    console.log(`  ${arm} / bare: ${value} (${low} to ${high}; goal: at most 1.01)`);
  }
  const own: number[] = [];
  const watching = await browsers.recorder.newPage();
  await watching.goto(`chrome-extension://${chromeExtensionId}/options.html#/recorder`);
  for (let each = 0; each < traced; each++) {
    own.push((await load(browsers.recorder, watching)).contentScriptMs);
  }
  console.log(
    `main thread in the content script, ${traced} traced loads: median ${middle(own).toFixed(2)} ms, ` +
      `most ${Math.max(...own).toFixed(2)} ms (goal: at most 1)`,
  );
} finally {
  for (const end of ends) await end();
  await lab.close();
  await rm(home, { recursive: true, force: true });
}
const script = await readFile('dist/extension-chrome/recorder.js');
console.log(`content script: ${script.length} bytes minified (goal: at most ${12 * 1024})`);
for (const build of (await readdir('dist')).filter((name) => name.startsWith('extension-'))) {
  console.log(`${build}: ${await packedBytes(join('dist', build))} bytes packed`);
}

function middle(of: readonly number[]): number {
  return median(of) ?? NaN;
}

/** With extensions possible, and none there. */
async function openBare(env: NodeJS.ProcessEnv): Promise<Browser> {
  const browser = await puppeteer.launch({
    executablePath: '/usr/bin/chromium',
    env,
    enableExtensions: true,
    pipe: true,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  ends.push(() => browser.close());
  return browser;
}

async function openRecorder(environment: NodeJS.ProcessEnv, agreed: true | 'pages'): Promise<Browser> {
  const opened = await openExtensionBrowser({ host: false, environment, agreed });
  ends.push(() => opened.close());
  const page = await opened.openResults('#/recorder');
  await page.evaluate(`chrome.storage.local.set({ recorder: { scope: 'all' } })`);
  await page.waitForFunction('chrome.scripting.getRegisteredContentScripts().then(all => all.length === 1)');
  await page.close();
  return opened.browser;
}

interface Loaded {
  /** End of the load event since the navigation began. */
  loadMs: number;
  /** Time of the extension's functions and of compiling them, 0 untraced. */
  contentScriptMs: number;
}

/**
 * One cold load in a new tab.
 * @param trace a page of the extension, by which a traced load waits for the recorder's word to the background too
 */
async function load(browser: Browser, trace: Page | null): Promise<Loaded> {
  const page = await browser.newPage();
  try {
    const before = trace ? (await stored(trace)).length : 0;
    await page.setCacheEnabled(false);
    if (trace) await page.tracing.start({ categories: ['devtools.timeline'] });
    await page.goto(`${lab.url}${values.page}/`);
    const loadMs = await page.evaluate(
      () => (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).loadEventEnd,
    );
    if (!trace) return { loadMs, contentScriptMs: 0 };
    // Told when idle: the content script has done all its work once the background has stored the whole load.
    const resources = await page.evaluate(() => performance.getEntriesByType('resource').length);
    await storedAs(trace, (all) => all.length > before && (all[0]?.requests.length ?? 0) >= resources);
    const events = JSON.parse(new TextDecoder().decode(await page.tracing.stop())) as Trace;
    return { loadMs, contentScriptMs: ownMs(events) };
  } finally {
    await page.close();
  }
}

interface Trace {
  traceEvents: { name: string; tdur?: number; args: { data?: { url?: string } } }[];
}

/**
 * By the thread's own clock, which stands still while others have the processor. Neither event nests in the
 * other: a script's compiling is part of its evaluation.
 */
function ownMs({ traceEvents }: Trace): number {
  const names = ['EvaluateScript', 'FunctionCall'];
  return traceEvents
    .filter(({ name, args }) => names.includes(name) && args.data?.url?.endsWith('/recorder.js'))
    .reduce((sum, { tdur }) => sum + (tdur ?? 0) / 1000, 0);
}

/** As the stores get it. */
async function packedBytes(directory: string): Promise<number> {
  const artifacts = await mkdtemp(join(tmpdir(), 'towline-packed-'));
  try {
    const asked = [
      'build',
      '--source-dir',
      directory,
      '--artifacts-dir',
      artifacts,
      '--filename',
      'packed.zip',
    ];
    await promisify(execFile)('node_modules/.bin/web-ext', asked);
    return (await stat(join(artifacts, 'packed.zip'))).size;
  } finally {
    await rm(artifacts, { recursive: true, force: true });
  }
}
