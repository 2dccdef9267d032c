import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { report } from '../../../../native-host/commands/report.ts';
import { makeRecord } from '../../../fixtures/record/make-record.ts';

let directory: string;
let site: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'towline-report-'));
  site = join(directory, 'site');
  await mkdir(site);
  await writeFile(join(site, 'index.html'), '<!doctype html>');
});

afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

it('writes the pages and, as a script, the very records', async () => {
  const record = makeRecord({ target: { asked: '</script><!--', url: 'https://x.example/', lab: null } });
  const file = join(directory, 'record.json');
  await writeFile(file, JSON.stringify(record));
  const printed: string[] = [];
  const output = join(directory, 'a b', 'report');
  expect(await report({ files: [file], output }, (line) => printed.push(line), site)).toBe(0);

  expect(printed).toEqual([`file://${directory}/a%20b/report/index.html`]);
  expect(await readFile(join(output, 'index.html'), 'utf8')).toBe('<!doctype html>');
  const script = await readFile(join(output, 'records.js'), 'utf8');
  expect(script).not.toContain('</script');
  const page: { towlineReport?: { records: { name: string; text: string }[] } } = {};
  runInNewContext(script, page);
  const [shown] = page.towlineReport?.records ?? [];
  expect(shown?.name).toBe('record.json');
  expect(JSON.parse(shown?.text ?? '')).toEqual(record);
});

it.each([
  ['no file', [], 'bad-argument'],
  ['a file that is not there', ['missing.json'], 'file-not-found'],
  ['a damaged file', ['damaged.json'], 'bad-record'],
])('refuses %s and writes nothing', async (_, names, code) => {
  await writeFile(join(directory, 'damaged.json'), '{');
  const output = join(directory, 'report');
  const files = names.map((name) => join(directory, name));
  await expect(report({ files, output }, () => undefined, site)).rejects.toMatchObject({ code });
  await expect(readFile(join(output, 'records.js'))).rejects.toThrow('ENOENT');
});
