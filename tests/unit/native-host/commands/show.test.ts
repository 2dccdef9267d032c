import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { show } from '../../../../native-host/commands/show.ts';
import { comparisonTable } from '../../../../native-host/terminal/comparison-table.ts';
import { makeRecord } from '../../../fixtures/record/make-record.ts';

describe('show', () => {
  const format = { color: false, width: 100 };
  let directory: string;
  let printed: string[];
  const terminal = { format, print: (text: string) => printed.push(text) };

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'towline-show-'));
    printed = [];
  });

  afterEach(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  it('prints the tables of a record, and ends with 0', async () => {
    const file = join(directory, 'record.json');
    await writeFile(file, JSON.stringify(makeRecord()));
    expect(await show({ file, json: false }, terminal)).toBe(0);
    expect(printed).toEqual([comparisonTable(makeRecord(), format)]);
  });

  it('prints the record itself with --json', async () => {
    const file = join(directory, 'record.json');
    await writeFile(file, JSON.stringify(makeRecord()));
    await show({ file, json: true }, terminal);
    expect(JSON.parse(printed.join(''))).toEqual(makeRecord());
  });

  it('names a file that is not there, and one that is no record', async () => {
    const missing = join(directory, 'missing.json');
    await expect(show({ file: missing, json: false }, terminal)).rejects.toMatchObject({
      code: 'file-not-found',
      message: `There is no file ${missing} to show.`,
    });
    const damaged = join(directory, 'damaged.json');
    await writeFile(damaged, '{"format":');
    await expect(show({ file: damaged, json: false }, terminal)).rejects.toMatchObject({
      code: 'bad-record',
    });
    expect(printed).toEqual([]);
  });
});
