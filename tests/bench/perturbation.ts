/**
 * What the recorder costs: the same page, cold, in a bare browser, in one with extension and recorder, and in
 * one that notes servers' addresses too; in randomised blocks, the browsers open side by side. Then the main
 * thread's time in the content script, by the browser's own trace, page by page, and the sizes of what is shipped.
 *
 * script/bench perturbation [--rounds N] [--page NAME]   (default 60 blocks of lab page imgur over h2)
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { pageModels } from '../../lab/pages/page-models.ts';
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
  options: { rounds: { type: 'string', default: '60' }, page: { type: 'string', default: 'imgur' } },
});
const rounds = Number(values.rounds);
const warmup = 2;
const traced = 10;
/** The recorder's work begins when a load has ended: none of it falls into the next load, of another arm. */
const gapMs = 300;
/** Requests of the median page, HTTP Archive, "Web Almanac 2024: page weight". */
const medianRequests = 70;
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
      const loadMs = await load(browsers[arm]);
      if (block >= warmup) times[arm].push(loadMs);
      await new Promise((resolve) => setTimeout(resolve, gapMs));
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
  console.log(`main thread in the content script, ${traced} traced loads of each page (goal: at most 1 ms)`);
  const watching = await browsers.recorder.newPage();
  await watching.goto(`chrome-extension://${chromeExtensionId}/options.html#/recorder`);
  const points: { requests: number; first: number; next: number }[] = [];
  for (const [name, { resources }] of Object.entries(pageModels)) {
    const loads: Traced[] = [];
    for (let each = 0; each < traced; each++)
      loads.push(await tracedLoads(browsers.recorder, name, watching));
    const point = {
      requests: resources,
      first: middle(loads.map(({ firstMs }) => firstMs)),
      next: middle(loads.map(({ nextMs }) => nextMs)),
    };
    points.push(point);
    const before = middle(loads.map(({ beforeLoadMs }) => beforeLoadMs));
    console.log(
      `  ${String(resources).padStart(3)} requests: ${point.first.toFixed(2)} ms in a new process ` +
        `(${before.toFixed(2)} of it before the load event), ${point.next.toFixed(2)} ms for its next page`,
    );
  }
  const at = (of: 'first' | 'next') =>
    lineAt(
      points.map((point) => [point.requests, point[of]]),
      medianRequests,
    ).toFixed(2);
  console.log(`  ${medianRequests} requests, on the line through these: ${at('first')} ms, ${at('next')} ms`);
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

/** One cold load in a new tab. @returns the end of its load event, ms since the navigation began */
async function load(browser: Browser): Promise<number> {
  const page = await browser.newPage();
  try {
    await page.setCacheEnabled(false);
    await page.goto(`${lab.url}${values.page}/`);
    return await page.evaluate(
      () => (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).loadEventEnd,
    );
  } finally {
    await page.close();
  }
}

/** Time of the extension's functions and of compiling them. */
interface Traced {
  /** In a process that has shown no page before. */
  firstMs: number;
  beforeLoadMs: number;
  /** For the same page once more, in the same process. */
  nextMs: number;
}

/** @param watching a page of the extension, by which a load waits for the recorder's word to the background too */
async function tracedLoads(browser: Browser, name: string, watching: Page): Promise<Traced> {
  const page = await browser.newPage();
  try {
    await page.setCacheEnabled(false);
    const once = async (): Promise<Own> => {
      const before = (await stored(watching)).length;
      await page.tracing.start({ categories: ['devtools.timeline'] });
      await page.goto(`${lab.url}${name}/`);
      // Told when idle: the content script has done all its work once the background has stored the whole load.
      const resources = await page.evaluate(() => performance.getEntriesByType('resource').length);
      await storedAs(watching, (all) => all.length > before && (all[0]?.requests.length ?? 0) >= resources);
      return ownMs(JSON.parse(new TextDecoder().decode(await page.tracing.stop())) as Trace);
    };
    const first = await once();
    return { firstMs: first.allMs, beforeLoadMs: first.beforeLoadMs, nextMs: (await once()).allMs };
  } finally {
    await page.close();
  }
}

interface Trace {
  traceEvents: { name: string; ts: number; tdur?: number; args: { data?: { url?: string } } }[];
}

interface Own {
  allMs: number;
  beforeLoadMs: number;
}

/**
 * By the thread's own clock, which stands still while others have the processor. Neither event nests in the
 * other: a script's compiling is part of its evaluation.
 */
function ownMs({ traceEvents }: Trace): Own {
  const names = ['EvaluateScript', 'FunctionCall'];
  const own = traceEvents.filter(
    ({ name, args }) => names.includes(name) && args.data?.url?.endsWith('/recorder.js'),
  );
  const loadedAt = traceEvents.find(({ name }) => name === 'MarkLoad')?.ts ?? Infinity;
  const sum = (of: Trace['traceEvents']): number =>
    of.reduce((total, { tdur = 0 }) => total + tdur / 1000, 0);
  return { allMs: sum(own), beforeLoadMs: sum(own.filter(({ ts }) => ts < loadedAt)) };
}

/** Least squares. */
function lineAt(points: readonly (readonly [number, number])[], x: number): number {
  const mean = (of: readonly number[]): number => of.reduce((sum, value) => sum + value, 0) / of.length;
  const [meanX, meanY] = [mean(points.map(([each]) => each)), mean(points.map(([, each]) => each))];
  const slope =
    mean(points.map(([px, py]) => (px - meanX) * (py - meanY))) /
    mean(points.map(([px]) => (px - meanX) ** 2));
  return meanY + slope * (x - meanX);
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
