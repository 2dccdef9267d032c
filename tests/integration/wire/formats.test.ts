import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'valibot';
import { analyzeCapture } from '../../support/analyze-capture.ts';
import { AnalysisSchema } from '../../../shared/record/analysis.ts';

const run = promisify(execFile);

/** Captures by tcpdump, which Wireshark's own tools rewrite here into other formats. */
const arms = ['h1', 'h2', 'h3'] as const;
const capture = (arm: string): string => `tests/fixtures/wire/page-load-${arm}.pcap`;
const keys = (arm: string): string => `tests/fixtures/wire/page-load-${arm}.keys`;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'formats-'));
});
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

describe.each(arms)('a load over %s', (arm) => {
  const plain = analyzeCapture(capture(arm), keys(arm));

  it.each([
    ['nanosecond pcap', ['-F', 'nsecpcap']],
    ['pcapng', ['-F', 'pcapng']],
  ])('reads the same from %s', async (name, options) => {
    const file = join(directory, `${arm}-${name.replace(' ', '-')}`);
    await run('editcap', [...options, capture(arm), file]);
    expect(analyzeCapture(file, keys(arm))).toEqual(plain);
  });

  it('takes the keys that a pcapng file brings along', async () => {
    const file = join(directory, `${arm}-secrets.pcapng`);
    await run('editcap', ['-F', 'pcapng', '--inject-secrets', `tls,${keys(arm)}`, capture(arm), file]);
    expect(analyzeCapture(file, null)).toEqual(plain);
  });

  it('reads standard input', async () => {
    const child = spawn('bin/towline', ['analyze', '-', '--json', '--keylog', keys(arm)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.on('data', (data: Buffer) => (printed += data.toString()));
    child.stdin.end(await readFile(capture(arm)));
    const status = await new Promise((resolve) => child.once('close', resolve));
    expect(status).toBe(0);
    const [file] = parse(AnalysisSchema, JSON.parse(printed)).files;
    expect(file).toEqual({ file: '-', loads: [plain], error: null });
  });
});

it('reads several interfaces of one pcapng file', async () => {
  const file = join(directory, 'merged.pcapng');
  await run('mergecap', ['-F', 'pcapng', '-I', 'none', '-w', file, ...arms.map(capture)]);
  const wire = analyzeCapture(file, keys('h2'));
  expect(wire.requests.map(({ path }) => path)).toEqual(
    analyzeCapture(capture('h2'), keys('h2')).requests.map(({ path }) => path),
  );
});
