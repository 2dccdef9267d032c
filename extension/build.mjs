/**
 * Builds the extension from one set of sources: dist/extension-chrome, dist/extension-chrome-lab (which may set a
 * proxy), dist/extension-firefox, dist/extension-firefox-lab (with the Experiment that negotiates live), and
 * dist/report, the results page as a static site that opens from disk.
 */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { manifestFor } from './manifest.mjs';

/** Classic scripts: a module script is refused on file://, and a service worker needs none. */
const bundling = {
  bundle: true,
  format: 'iife',
  target: ['chrome126', 'firefox142'],
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
};

const statisticsWorker = 'options/statistics/statistics-worker.ts';

/** @param {string} root the checkout, with a slash at the end */
export async function buildExtension(root) {
  const source = join(root, 'extension');
  const dist = join(root, 'dist');
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await Promise.all(
    ['chrome', 'firefox', 'firefox-lab'].map((name) =>
      buildFor(name, source, join(dist, `extension-${name}`), version),
    ),
  );
  await letSetProxy(join(dist, 'extension-chrome'), join(dist, 'extension-chrome-lab'), version);
  await addExperiment(join(source, 'firefox-lab'), join(dist, 'extension-firefox-lab'));
  await buildReport(source, join(dist, 'report'));
}

/** The same code, which finds out what it may do: only the manifest is another. */
async function letSetProxy(chrome, out, version) {
  await rm(out, { recursive: true, force: true });
  await cp(chrome, out, { recursive: true });
  await writeManifest('chrome-lab', out, version);
}

async function writeManifest(name, out, version) {
  await writeFile(join(out, 'manifest.json'), `${JSON.stringify(manifestFor(name, version), null, 2)}\n`);
}

async function buildFor(name, source, out, version) {
  await rm(out, { recursive: true, force: true });
  await build({
    ...bundling,
    entryPoints: {
      background: join(source, 'background/background.ts'),
      popup: join(source, 'popup/popup.ts'),
      options: join(source, 'options/options.ts'),
      'statistics-worker': join(source, statisticsWorker),
      welcome: join(source, 'welcome/welcome.ts'),
    },
    outdir: out,
  });
  // Without the function around it that keeps names apart: it has none, and a page has to compile it.
  await build({
    ...bundling,
    format: 'esm',
    entryPoints: { 'make-room': join(source, 'recorder/make-room.ts') },
    outdir: out,
  });
  await build({
    ...bundling,
    entryPoints: {
      popup: join(source, 'popup/popup.css'),
      options: join(source, 'options/options.css'),
      welcome: join(source, 'welcome/welcome.css'),
    },
    outdir: out,
  });
  await mkdir(join(out, 'icons'), { recursive: true });
  await Promise.all([
    cp(join(source, 'popup/popup.html'), join(out, 'popup.html')),
    cp(join(source, 'options/options.html'), join(out, 'options.html')),
    cp(join(source, 'welcome/welcome.html'), join(out, 'welcome.html')),
    cp(join(source, '_locales'), join(out, '_locales'), { recursive: true }),
    cp(join(source, 'icons'), join(out, 'icons'), { recursive: true }),
    writeManifest(name, out, version),
  ]);
}

/** The script that Firefox runs in its main process, and what it lets the extension ask of it. */
async function addExperiment(source, out) {
  await build({
    ...bundling,
    entryPoints: { 'negotiation-api': join(source, 'negotiation-api.ts') },
    outdir: out,
  });
  await cp(join(source, 'negotiation-schema.json'), join(out, 'negotiation-schema.json'));
}

async function buildReport(source, out) {
  await rm(out, { recursive: true, force: true });
  const worker = await build({
    ...bundling,
    entryPoints: [join(source, statisticsWorker)],
    write: false,
  });
  await build({
    ...bundling,
    entryPoints: {
      report: join(source, 'report/report.ts'),
      style: join(source, 'options/options.css'),
    },
    // A page on disk may start no worker from a file, but from text that it carries.
    define: { statisticsWorkerText: JSON.stringify(worker.outputFiles[0].text) },
    outdir: out,
  });
  await cp(join(source, 'report/report.html'), join(out, 'index.html'));
  await cp(join(source, 'icons/icon-32.png'), join(out, 'icon.png'));
}
