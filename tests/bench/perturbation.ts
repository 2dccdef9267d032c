/**
 * What the recorder costs: the same page, cold, in a bare browser, in one with the extension installed, in one with the
 * recorder on, and in one that notes servers' addresses too; in randomised blocks, the browsers open side by side. Then the main
 * thread's time in the recorder, by the browser's own trace, page by page, and the sizes of what is shipped.
 *
 * script/bench perturbation [--rounds N] [--page NAME]   (default 60 blocks of lab page imgur over h2)
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { build } from 'esbuild';
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
const traced = 20;
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
    installed: await openRecorder(environment, 'pages', 'off'),
    recorder: await openRecorder(environment, 'pages'),
    addresses: await openRecorder(environment, true),
  };
  type Arm = keyof typeof browsers;
  const arms = Object.keys(browsers) as Arm[];
  const times: Record<Arm, number[]> = { bare: [], installed: [], recorder: [], addresses: [] };
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
  for (const arm of ['installed', 'recorder', 'addresses'] as const) {
    // "Gain" of going back to the bare browser: the ratio of the load times.
    const ratio = gainOf(
      { baseline: Float64Array.from(times[arm]), variant: Float64Array.from(times.bare) },
      { confidence: 0.95, resamples: 10_000, seed: 1 },
    )?.gain;
    const [value, low, high] = [ratio?.value, ratio?.low, ratio?.high].map((of) => of?.toFixed(3) ?? '–');
    const goal = arm === 'recorder' ? '; goal: at most 1.01' : '';
    console.log(`  ${arm} / bare: ${value} (${low} to ${high}${goal})`);
  }
  console.log(
    `main thread, ${traced} traced loads of each page (goal: at most 1 ms in the recorder's scripts)`,
  );
  const watching = await browsers.recorder.newPage();
  await watching.goto(`chrome-extension://${chromeExtensionId}/options.html#/recorder`);
  const points: { requests: number; first: Cost; next: Cost }[] = [];
  for (const [name, { resources }] of Object.entries(pageModels)) {
    const loads: { first: Cost; next: Cost }[] = [];
    for (let each = 0; each < traced; each++)
      loads.push(await tracedLoads(browsers.recorder, name, watching));
    const point = {
      requests: resources,
      first: middleCost(loads.map(({ first }) => first)),
      next: middleCost(loads.map(({ next }) => next)),
    };
    points.push(point);
    console.log(`  ${String(resources).padStart(3)} requests: ${inWords(point.first, point.next)}`);
  }
  const at = (of: 'first' | 'next'): Cost => ({
    scriptMs: lineAt(
      points.map((point) => [point.requests, point[of].scriptMs]),
      medianRequests,
    ),
    taskMs: lineAt(
      points.map((point) => [point.requests, point[of].taskMs]),
      medianRequests,
    ),
  });
  console.log(`  ${medianRequests} requests, on the line through these: ${inWords(at('first'), at('next'))}`);
} finally {
  for (const end of ends) await end();
  await lab.close();
  await rm(home, { recursive: true, force: true });
}
const script = await readFile('dist/extension-chrome/make-room.js');
const handedOver = await minified('extension/platform/read-page.ts');
console.log(
  `content script: ${script.length} bytes minified; handed to a loaded page: ${handedOver} (goal: at most ${12 * 1024})`,
);
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

async function openRecorder(
  environment: NodeJS.ProcessEnv,
  agreed: true | 'pages',
  scope: 'all' | 'off' = 'all',
): Promise<Browser> {
  const opened = await openExtensionBrowser({ host: false, environment, agreed });
  ends.push(() => opened.close());
  const page = await opened.openResults('#/recorder');
  await page.evaluate(`chrome.storage.local.set({ recorder: { scope: '${scope}' } })`);
  await page.waitForFunction(
    `chrome.scripting.getRegisteredContentScripts().then(all => all.length === ${scope === 'all' ? 1 : 0})`,
  );
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

/** Of one page, by the thread's own clock, which stands still while others have the processor. */
interface Cost {
  /** Compiling and running the recorder's scripts, and making its answers. */
  scriptMs: number;
  /** With what the browser does to hand the scripts over and the answers back. */
  taskMs: number;
}

function middleCost(of: readonly Cost[]): Cost {
  return {
    scriptMs: middle(of.map(({ scriptMs }) => scriptMs)),
    taskMs: middle(of.map(({ taskMs }) => taskMs)),
  };
}

function inWords(first: Cost, next: Cost): string {
  const words = ({ scriptMs, taskMs }: Cost) =>
    `${scriptMs.toFixed(2)} ms (whole tasks ${taskMs.toFixed(2)})`;
  return `${words(first)} in a new process, ${words(next)} for its next page`;
}

/**
 * A page in a process that has shown none before, and once more in the same.
 * @param watching a page of the extension, by which a load waits for what the recorder has stored of it
 */
async function tracedLoads(
  browser: Browser,
  name: string,
  watching: Page,
): Promise<{ first: Cost; next: Cost }> {
  const page = await browser.newPage();
  try {
    await page.setCacheEnabled(false);
    const once = async (): Promise<Cost> => {
      const before = (await stored(watching)).length;
      await page.tracing.start({ categories: ['devtools.timeline', 'extensions', 'toplevel'] });
      await page.goto(`${lab.url}${name}/`);
      const resources = await page.evaluate(() => performance.getEntriesByType('resource').length);
      await storedAs(watching, (all) => all.length > before && (all[0]?.requests.length ?? 0) >= resources);
      return costOf(JSON.parse(new TextDecoder().decode(await page.tracing.stop())) as Trace);
    };
    return { first: await once(), next: await once() };
  } finally {
    await page.close();
  }
}

interface Traced {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args: { data?: { url?: string } };
}

interface Trace {
  traceEvents: Traced[];
}

/** What an extension has the browser run in a page stands in the trace as such; here there is one extension. */
function costOf({ traceEvents }: Trace): Cost {
  const named = (name: string): Traced[] => traceEvents.filter((event) => event.name === name);
  const questions = named('Dispatcher::ExecuteCode');
  const contentScripts = named('ScriptInjection::InjectJs').filter(
    (injection) => !questions.some((question) => isWithin(injection, question)),
  );
  const scripts = named('EvaluateScript').filter((script) =>
    [...questions, ...contentScripts].some((injection) => isWithin(script, injection)),
  );
  const tasks = named('ThreadControllerImpl::RunTask').filter((task) =>
    questions.some((question) => isWithin(question, task)),
  );
  if (questions.length !== 1 || contentScripts.length !== 1 || scripts.length !== 2 || tasks.length !== 1) {
    throw new Error('The trace is not of one load that was recorded once.');
  }
  const sum = (of: Traced[]): number => of.reduce((total, { tdur = 0 }) => total + tdur / 1000, 0);
  return { scriptMs: sum(scripts), taskMs: sum([...contentScripts, ...tasks]) };
}

function isWithin(inner: Traced, outer: Traced): boolean {
  const isSameThread = inner.pid === outer.pid && inner.tid === outer.tid;
  return isSameThread && inner.ts >= outer.ts && inner.ts < outer.ts + (outer.dur ?? 0);
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

async function minified(entryPoint: string): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [entryPoint],
    minify: true,
    write: false,
    format: 'esm',
  });
  return outputFiles[0]?.contents.length ?? NaN;
}
