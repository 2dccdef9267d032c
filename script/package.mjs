/**
 * Builds, and packs what was built into dist/packages/:
 * - towline-chrome-VERSION.zip for the Chrome Web Store, which gives an extension its key itself and refuses one;
 * - towline-firefox-VERSION.zip for addons.mozilla.org, and towline-sources-VERSION.zip, from which it can be rebuilt;
 * - towline-VERSION.tgz, the npm package of host and command.
 * The same sources give the same bytes, wherever and whenever: names in order, one date, one packer in JavaScript.
 * Usage: node script/package.mjs
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { zipSync } from 'fflate';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const out = join(dist, 'packages');
const description = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const { version } = description;

execFileSync(process.execPath, [join(root, 'script/build.mjs')], { cwd: root, stdio: 'inherit' });
await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });

const chrome = await filesBelow(join(dist, 'extension-chrome'));
await pack(`towline-chrome-${version}.zip`, chrome.map(withoutKey));
await pack(`towline-firefox-${version}.zip`, await filesBelow(join(dist, 'extension-firefox')));
await pack(`towline-sources-${version}.zip`, await sources());
await packForNpm();

/**
 * Writes a zip: its files in the order of their names, dated by the first day that the format knows.
 * @param {string} name
 * @param {{ path: string, body: Uint8Array, executable: boolean }[]} files
 */
async function pack(name, files) {
  // The format's dates have no time zone: this one is the same day everywhere.
  const mtime = new Date(1980, 0, 1);
  const entries = files
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, body, executable }) => {
      const mode = executable ? 0o100755 : 0o100644;
      return [path, [body, { mtime, os: 3, attrs: mode << 16 }]];
    });
  await writeFile(join(out, name), zipSync(Object.fromEntries(entries), { level: 9 }));
  console.log(`dist/packages/${name}`);
}

/** @param {string} directory */
async function filesBelow(directory) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)));
  return await read(directory, paths);
}

/** @param {string} directory @param {string[]} paths */
async function read(directory, paths) {
  return await Promise.all(
    paths.map(async (path) => {
      const file = join(directory, path);
      return { path, body: await readFile(file), executable: ((await stat(file)).mode & 0o100) !== 0 };
    }),
  );
}

function withoutKey(file) {
  if (file.path !== 'manifest.json') return file;
  const { key, ...manifest } = JSON.parse(file.body.toString());
  if (key === undefined) throw new Error('the manifest has no key: is this still needed?');
  return { ...file, body: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) };
}

/** What is needed to build again, without the tests: of the checkout, or of what was unpacked from such a zip. */
async function sources() {
  const listed = existsSync(join(root, '.git'))
    ? execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
        cwd: root,
        encoding: 'utf8',
      })
        .split('\0')
        .filter(Boolean)
    : (await filesBelow(root)).map(({ path }) => path);
  const left = /^(node_modules|dist|tests|\.ci|\.git|\.node)(\/|$)|^store-assets\/.*\.png$/;
  return await read(
    root,
    listed.filter((path) => !left.test(path)),
  );
}

/** The package holds what was built, so it needs neither the build's packages nor its scripts. */
async function packForNpm() {
  const stage = join(dist, 'npm-package');
  await rm(stage, { recursive: true, force: true });
  const built = ['native-host', 'report', 'extension-chrome', 'extension-firefox'].map(
    (name) => `dist/${name}`,
  );
  for (const path of ['bin/towline', 'README.md', 'CHANGELOG.md', 'LICENSE', 'docs', ...built]) {
    await cp(join(root, path), join(stage, path), { recursive: true });
  }
  // Some programs that unpack zips forget modes.
  await chmod(join(stage, 'bin/towline'), 0o755);
  const { private: _, scripts, devDependencies, overrides, allowScripts, ...published } = description;
  await writeFile(
    join(stage, 'package.json'),
    `${JSON.stringify({ ...published, os: ['linux'], files: ['bin', 'dist', 'docs', 'CHANGELOG.md'] }, null, 2)}\n`,
  );
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', out], {
    cwd: stage,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await rm(stage, { recursive: true });
  console.log(`dist/packages/towline-${version}.tgz`);
}
