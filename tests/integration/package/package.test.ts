import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as v from 'valibot';
import { DoctorReportSchema } from '../../../shared/messages/doctor-report.ts';
import { readRecord } from '../../../shared/record/read-record.ts';

const run = promisify(execFile);
const checkout = process.cwd();

let scratch: string;
let packages: Map<string, Buffer>;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'towline-package-'));
  packages = await packIn(checkout);
});
afterAll(async () => {
  await rm(scratch, { recursive: true, force: true });
});

/** Runs script/package's program there. @returns what it made, by name */
async function packIn(directory: string): Promise<Map<string, Buffer>> {
  await run(process.execPath, ['script/package.mjs'], { cwd: directory });
  const out = join(directory, 'dist/packages');
  const names = (await readdir(out)).sort();
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(out, name))] as const)),
  );
}

function packageNamed(form: RegExp): Buffer {
  const [name] = [...packages.keys()].filter((candidate) => form.test(candidate));
  const body = packages.get(name ?? '');
  if (!body) throw new Error(`no package like ${form.source}`);
  return body;
}

it('makes the same bytes again, from the sources it packed, in another place', async () => {
  const elsewhere = join(scratch, 'sources');
  for (const [path, body] of Object.entries(unzipSync(packageNamed(/sources.*\.zip$/)))) {
    await mkdir(dirname(join(elsewhere, path)), { recursive: true });
    await writeFile(join(elsewhere, path), body);
  }
  await symlink(join(checkout, 'node_modules'), join(elsewhere, 'node_modules'));
  const again = await packIn(elsewhere);
  expect([...again.keys()]).toEqual([...packages.keys()]);
  const differing = [...packages]
    .filter(([name, body]) => !again.get(name)?.equals(body))
    .map(([name]) => name);
  // Executable files have lost that mark on the way here; nothing that is installed depends on it.
  expect(differing).toEqual([...packages.keys()].filter((name) => name.includes('sources')));
});

it('leaves the key out of the Chrome zip, as the store wants it, and packs nothing but the extension', () => {
  const files = unzipSync(packageNamed(/chrome.*\.zip$/));
  const manifest = JSON.parse(Buffer.from(files['manifest.json'] ?? []).toString()) as object;
  expect(manifest).toMatchObject({ manifest_version: 3, background: { service_worker: 'background.js' } });
  expect(manifest).not.toHaveProperty('key');
  expect(Object.keys(files).filter((path) => !/\.(js|css|html|json|png)$/.test(path))).toEqual([]);
});

it('is a command that works in an empty folder, with nothing but the packages it asks for', async () => {
  const home = join(scratch, 'home');
  const installed = join(home, 'node_modules/towline');
  await mkdir(join(home, 'node_modules/.bin'), { recursive: true });
  await mkdir(installed);
  const tarball = join(scratch, 'towline.tgz');
  await writeFile(tarball, packageNamed(/\.tgz$/));
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  await symlink('../towline/bin/towline', join(home, 'node_modules/.bin/towline'));
  await installWhatItAsksFor(home);

  const towline = (...args: string[]) => run(join(home, 'node_modules/.bin/towline'), args, { cwd: home });
  const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
    version: string;
  };
  expect((await towline('--version')).stdout.trim()).toBe(version);
  const report = v.parse(DoctorReportSchema, JSON.parse((await towline('doctor', '--json')).stdout));
  expect(report.checkups.length).toBeGreaterThan(5);

  // Whether a busy machine lets the loads count is not asked here: 1 says that some did not.
  const compare = [
    'compare',
    'lab:twitter',
    '--arms',
    'h1,h2',
    '--rounds',
    '1',
    '--gap',
    '0',
    '--json',
    'r.json',
  ];
  await towline(...compare).catch((error: unknown) => {
    expect(error).toMatchObject({ code: 1 });
  });
  const { trials } = readRecord(await readFile(join(home, 'r.json'), 'utf8'), 'r.json');
  const measured = trials.filter(({ wire }) => wire?.timeOnWireMs.value != null).map(({ arm }) => arm);
  expect(new Set(measured)).toEqual(new Set(['h1', 'h2']));
  await towline('report', 'r.json', '-o', 'page');
  expect(await readdir(join(home, 'page'))).toContain('index.html');
});

/** Copies the checkout's packages that are none of its development alone: what npm would fetch. */
async function installWhatItAsksFor(home: string): Promise<void> {
  const { stdout } = await run('npm', ['ls', '--all', '--omit=dev', '--parseable'], { cwd: checkout });
  const paths = stdout.split('\n').filter((path) => path.includes('node_modules'));
  for (const path of paths) {
    await cp(path, join(home, relative(checkout, path)), { recursive: true, verbatimSymlinks: true });
  }
}
