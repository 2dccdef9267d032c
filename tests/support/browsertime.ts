import { execFile } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { serveLab } from '../../lab/serve.ts';

const run = promisify(execFile);

/** Newest major that runs on Node 20 and can be installed from the registry alone. */
const version = '25';
const directory = join(process.cwd(), 'dist/bench/browsertime');
const iterations = 10;

/**
 * The same lab page by browsertime, with its waiting cut down to the quiet period that Towline uses, so that only
 * what the tools add is compared.
 *
 * @param ownSeconds what Towline adds to a page load, seconds
 * @returns a line for the benchmark's output: the ratio, or why there is none
 */
export async function measureBrowsertime(ownSeconds: number): Promise<string> {
  try {
    await install();
  } catch (error) {
    return `browsertime: could not be installed here (${firstLine(error)})`;
  }
  const lab = await serveLab({ port: 0 });
  const results = join(directory, 'results');
  try {
    const startMs = performance.now();
    await run(
      join(directory, 'node_modules/.bin/browsertime'),
      [
        ...['-b', 'chrome', '--headless', '-n', String(iterations), '--resultDir', results],
        ...['--chrome.binaryPath', '/usr/bin/chromium', '--chrome.chromedriverPath', '/usr/bin/chromedriver'],
        ...['--pageCompleteCheckNetworkIdle', '--timeouts.networkIdle', '500'],
        ...[`--chrome.args=ignore-certificate-errors-spki-list=${lab.spki}`, '--chrome.args=disable-quic'],
        ...(process.getuid?.() === 0 ? ['--chrome.args=no-sandbox'] : []),
        `${lab.url}youtube/`,
      ],
      { timeout: 300_000, maxBuffer: 64 * 1024 * 1024 },
    );
    const wholeSeconds = (performance.now() - startMs) / 1000;
    const loadSeconds = await meanLoadSeconds(results);
    const added = wholeSeconds / iterations - loadSeconds;
    return (
      `browsertime ${version}: ${added.toFixed(2)} s a load beside the page's own, mean of ${iterations} ` +
      `(Towline: ${(ownSeconds / added).toFixed(2)} of that)`
    );
  } catch (error) {
    return `browsertime: did not run here (${firstLine(error)})`;
  } finally {
    await lab.close();
    await rm(results, { recursive: true, force: true });
  }
}

/** Its own install scripts would fetch drivers from elsewhere; Debian's chromium-driver serves. */
async function install(): Promise<void> {
  await mkdir(directory, { recursive: true });
  await run('npm', [
    'install',
    '--ignore-scripts',
    '--no-save',
    '--prefix',
    directory,
    `browsertime@${version}`,
  ]);
  await run('chromedriver', ['--version']);
}

async function meanLoadSeconds(results: string): Promise<number> {
  const [page] = JSON.parse(await readFile(join(results, 'browsertime.json'), 'utf8')) as {
    statistics: { timings: { loadEventEnd: { mean: number } } };
  }[];
  if (!page) throw new Error('browsertime wrote no result');
  return page.statistics.timings.loadEventEnd.mean / 1000;
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
