import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse } from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyze, type AnalyzeOptions } from '../../../../native-host/commands/analyze.ts';
import type { ErrorReport } from '../../../../shared/errors/towline-error.ts';
import { AnalysisSchema, type Analysis } from '../../../../shared/record/analysis.ts';

const h1 = 'tests/fixtures/wire/page-load-h1.pcap';
const h2 = 'tests/fixtures/wire/page-load-h2.pcap';
const h2Keys = 'tests/fixtures/wire/page-load-h2.keys';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'analyze-'));
});
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

async function file(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, bytes);
  return path;
}

interface Ran {
  status: number;
  printed: string;
  errors: ErrorReport[];
}

async function run(files: readonly string[], options: Partial<AnalyzeOptions> = {}): Promise<Ran> {
  const printed: string[] = [];
  const errors: ErrorReport[] = [];
  const status = await analyze(
    { files, keylog: undefined, json: false, splitIdle: undefined, ...options },
    {
      format: { color: false, width: 100 },
      print: (text) => printed.push(text),
      error: (report) => errors.push(report),
    },
  );
  return { status, printed: printed.join('\n'), errors };
}

async function analysis(files: readonly string[], options: Partial<AnalyzeOptions> = {}): Promise<Analysis> {
  const { printed } = await run(files, { ...options, json: true });
  return parse(AnalysisSchema, JSON.parse(printed));
}

describe('a capture of one page load', () => {
  it('is told to a person: figures, flows and the waterfall', async () => {
    const { status, printed, errors } = await run([h2], { keylog: h2Keys });
    expect(status).toBe(0);
    expect(errors).toEqual([]);
    expect(printed).toMatch(/Time on Wire +406\.7 ms/);
    expect(printed).toMatch(/keyed +exactly/);
    expect(printed).toMatch(/h2 +www\.towline\.test/);
    expect(printed).toMatch(/GET \/picture-4\.png +200/);
  });

  it('is told with its bound when there are no keys', async () => {
    const { printed } = await run([h1]);
    expect(printed).toMatch(/keyless/);
    expect(printed).toMatch(/a favicon that the browser asked for counts as part of the page/);
    expect(printed).not.toMatch(/GET/);
  });

  it('is the same from a gzip file', async () => {
    const packed = await file('load.pcap.gz', gzipSync(readFileSync(h2)));
    const [plain, unpacked] = (await analysis([h2, packed], { keylog: h2Keys })).files;
    expect(unpacked?.loads).toEqual(plain?.loads);
  });

  it('is told as far as it goes when the file breaks off', async () => {
    const whole = readFileSync(h2);
    const cut = await file('cut.pcap', whole.subarray(0, whole.length - 700));
    const packed = gzipSync(whole);
    const cutPacked = await file('cut.pcap.gz', packed.subarray(0, packed.length - 700));
    const { files } = await analysis([cut, cutPacked], { keylog: h2Keys });
    for (const { loads, error } of files) {
      expect(error).toBeNull();
      expect(loads[0]?.requests).toHaveLength(5);
    }
    expect(files[0]?.loads[0]?.notes).toContain('The file was cut in the middle of a packet.');
    expect(files[1]?.loads[0]?.notes.some((note) => note.includes('in part only'))).toBe(true);
  });
});

it('tells several page loads in one file apart', async () => {
  const both = await file('both.pcap', Buffer.concat([readFileSync(h1), readFileSync(h2).subarray(24)]));
  const [apart] = (await analysis([both], { splitIdle: '1.5s' })).files;
  const [together] = (await analysis([both])).files;
  expect(apart?.loads).toHaveLength(2);
  expect(together?.loads).toHaveLength(1);
  const { printed } = await run([both], { splitIdle: '1500ms' });
  expect(printed).toMatch(/both\.pcap, load 2 of 2/);
});

describe('bad input', () => {
  it('is named for each file, and the others are analysed', async () => {
    const text = await file('text.pcap', Buffer.from('This is no capture.'));
    const empty = await file('empty.pcap', Buffer.alloc(0));
    const noFrames = await file('no-frames.pcap', readFileSync(h1).subarray(0, 24));
    const missing = join(directory, 'missing.pcap');
    const { status, printed, errors } = await run([text, h1, directory, empty, missing, noFrames]);
    expect(errors.map(({ code }) => code)).toEqual([
      'not-a-capture',
      'not-a-capture',
      'not-a-capture',
      'file-not-found',
      'no-page-flows',
    ]);
    expect(errors.map(({ message }) => message)).toEqual([
      `${text} is neither a pcap nor a pcapng file.`,
      `${directory} is a directory.`,
      `${empty} is empty.`,
      `There is no file ${missing} to analyse.`,
      `${noFrames} has no flow that carries requests.`,
    ]);
    expect(printed).toMatch(/Time on Wire/);
    expect(status).toBe(2);
  });

  it('is in the JSON too', async () => {
    const missing = join(directory, 'missing.pcap');
    const { files } = await analysis([missing, h1]);
    expect(files.map(({ error }) => error?.code ?? null)).toEqual(['file-not-found', null]);
  });

  it('of the key log: one that is not there, and one of another browser', async () => {
    await expect(run([h1], { keylog: join(directory, 'none.keys') })).rejects.toMatchObject({
      code: 'file-not-found',
      exitStatus: 2,
    });
    const { status, printed } = await run([h1], { keylog: h2Keys });
    expect(status).toBe(0);
    expect(printed).toMatch(/The key log has no keys for any connection of the capture/);
  });
});
