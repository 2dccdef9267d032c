import { expect, it } from 'vitest';
import { requestsCsv, trialsCsv } from '../../../../extension/options/csv.ts';
import { makeRecord } from '../../../fixtures/record/make-record.ts';

const record = makeRecord();

/** RFC 4180, section 2, read by its grammar: records by CRLF, fields by comma, quotes doubled inside quotes. */
function parseCsv(csv: string): string[][] {
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of csv.matchAll(field)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

it('has a row per trial and a field per column', () => {
  const [header = [], ...rows] = parseCsv(trialsCsv(record));
  expect(rows).toHaveLength(record.trials.length);
  expect(new Set(rows.map((row) => row.length))).toEqual(new Set([header.length]));
  const column = header.indexOf('time_on_wire_ms');
  expect(rows.map((row) => Number(row[column]))).toEqual(
    record.trials.map((trial) => trial.wire?.timeOnWireMs.value),
  );
});

it('has a row per request of every trial', () => {
  const [header = [], ...rows] = parseCsv(requestsCsv(record));
  expect(rows).toHaveLength(record.trials.flatMap((trial) => trial.resources).length);
  expect(header).toContain('wait_ms');
});

it('keeps commas, quotes and line breaks inside their field, and leaves unknown values empty', () => {
  const [first] = record.trials;
  if (!first) throw new Error('The synthetic record has trials.');
  const reasons = ['a "quoted", broken\r\nreason'];
  const odd = { ...first, verdict: { ...first.verdict, valid: false, reasons }, loadTimeMs: null };
  const [header = [], row = []] = parseCsv(trialsCsv({ ...record, trials: [odd] }));
  expect(row[header.indexOf('reasons')]).toBe(reasons[0]);
  expect(row[header.indexOf('load_time_ms')]).toBe('');
});

it('hands no formula of a stranger to a spreadsheet', () => {
  const [first] = record.trials;
  const [resource] = first?.resources ?? [];
  if (!first || !resource) throw new Error('The synthetic record has trials with resources.');
  const evil = { ...first, resources: [{ ...resource, url: '=HYPERLINK("https://evil.example","x")' }] };
  const [header = [], row = []] = parseCsv(requestsCsv({ ...record, trials: [evil] }));
  expect(row[header.indexOf('url')]?.startsWith("'=")).toBe(true);
});
