import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse } from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AnalysisSchema } from '../../../shared/record/analysis.ts';
import { towline } from '../../support/towline.ts';

const capture = 'tests/fixtures/wire/page-load-h2.pcap';
const keys = 'tests/fixtures/wire/page-load-h2.keys';
const otherKeys = 'tests/fixtures/wire/page-load-h1.keys';

/** Root reads what nobody may read, unless these rights are taken from it (capabilities(7)). */
const withoutOverride = ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--'];
const wrapper = process.getuid?.() === 0 ? withoutOverride : [];

let directory: string;
const at = (name: string): string => join(directory, name);
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bad-input-'));
  const whole = await readFile(capture);
  await writeFile(at('text'), 'This is no capture.');
  await writeFile(at('text.gz'), gzipSync('This is no capture.'));
  await writeFile(at('broken.gz'), Buffer.from('1f8b0badbadbad', 'hex'));
  await writeFile(at('empty'), '');
  await writeFile(at('short'), whole.subarray(0, 10));
  await writeFile(at('no-frames'), whole.subarray(0, 24));
  await copyFile(capture, at('secret'));
  await chmod(at('secret'), 0);
  await mkdir(at('folder'));
});
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

describe('of a file that is', () => {
  it.each([
    ['text', 2, 'is neither a pcap nor a pcapng file'],
    ['text.gz', 2, 'is neither a pcap nor a pcapng file'],
    ['broken.gz', 2, 'cannot be read'],
    ['empty', 2, 'is empty'],
    ['short', 2, 'is neither a pcap nor a pcapng file'],
    ['no-frames', 2, 'has no flow that carries requests'],
    ['folder', 2, 'is a directory'],
    ['missing', 2, 'There is no file'],
    ['secret', 3, 'may not be read'],
  ])('%s, one line says what is wrong, and the status is %i', async (name, expected, words) => {
    const { status, stderr } = await towline(['analyze', at(name)], { wrapper });
    const [said = '', ...more] = stderr.trimEnd().split('\n');
    expect(said).toContain('towline: ');
    expect(said).toContain(at(name));
    expect(said).toContain(words);
    // What to do, and no stack of calls.
    expect(more).toHaveLength(1);
    expect(status).toBe(expected);
  });
});

it('analyses the good ones among bad files, and ends with the worst status', async () => {
  const files = ['text', 'secret', 'missing'].map(at);
  const { status, stdout } = await towline(['analyze', ...files, capture, '--json'], { wrapper });
  const analysis = parse(AnalysisSchema, JSON.parse(stdout));
  expect(analysis.files.map(({ error }) => error?.code ?? null)).toEqual([
    'not-a-capture',
    'permission-denied',
    'file-not-found',
    null,
  ]);
  expect(analysis.files[3]?.loads[0]?.timeOnWireMs.value).toBeGreaterThan(0);
  expect(status).toBe(3);
});

describe('of a key log', () => {
  it.each([
    ['missing', 2, 'There is no key log'],
    ['folder', 2, 'is a directory'],
    ['secret', 3, 'may not be read'],
  ])('that is %s, one line says so, and the status is %i', async (name, expected, words) => {
    const { status, stdout, stderr } = await towline(['analyze', capture, '--keylog', at(name)], { wrapper });
    expect(stderr).toContain(words);
    expect(stdout).toBe('');
    expect(status).toBe(expected);
  });

  it.each([
    ['of another browser', otherKeys, 'The key log has no keys for any connection of the capture'],
    ['that is none', capture, 'What was given as key log holds no keys'],
  ])('%s, the capture is read without, and that is said once', async (_name, file, words) => {
    const { status, stdout } = await towline(['analyze', capture, '--keylog', file], { wrapper });
    expect(status).toBe(0);
    expect(stdout).toMatch(/keyless +from lengths and times alone/);
    expect(stdout.replaceAll(/\s+/g, ' ').split('key log')).toHaveLength(2);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(words);
  });

  it('that fits, nothing is said', async () => {
    const { stdout } = await towline(['analyze', capture, '--keylog', keys], { wrapper });
    expect(stdout).toMatch(/keyed +exactly, with its keys/);
    expect(stdout).not.toContain('key log');
  });
});
