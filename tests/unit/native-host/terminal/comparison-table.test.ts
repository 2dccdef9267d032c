import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { comparisonTable } from '../../../../native-host/terminal/comparison-table.ts';
import { makeDesign, makeRecord } from '../../../fixtures/record/make-record.ts';

const plain = { color: false, width: 100 };

/** The cells of the line that begins with `start`: columns stand at least two spaces apart. */
function cells(text: string, start: string): string[] {
  const line = text.split('\n').find((candidate) => candidate.startsWith(start));
  return line?.split(/ {2,}/) ?? [];
}

describe('comparisonTable', () => {
  it('shows for each arm its valid trials, medians and spread, as in the statistics', () => {
    const record = makeRecord();
    const h3 = record.statistics.arms.find(({ arm }) => arm === 'h3');
    const { loadTimeMs, timeOnWireMs, setupMs } = h3?.metrics ?? {};
    const ms = (value = NaN): string => value.toFixed(0);
    expect(cells(comparisonTable(record, plain), 'h3 ')).toEqual([
      'h3',
      'HTTP/3',
      '10 of 11',
      ...[loadTimeMs, timeOnWireMs, setupMs].flatMap((sample) => [
        ms(sample?.median),
        `${ms(sample?.p10)} - ${ms(sample?.p90)}`,
      ]),
    ]);
  });

  it('ends every gain with the words of its verdict', () => {
    const record = makeRecord();
    const text = comparisonTable(record, plain);
    for (const { baseline, variant, verdict } of record.statistics.pairs) {
      expect(text).toMatch(new RegExp(`^${variant} over ${baseline} .*${escaped(verdict.words)}$`, 'm'));
    }
  });

  it.each([
    [5, 'Too few rounds to tell a difference from chance: 5 rounds of the 7 that 3 arms need.'],
    [1, 'Too few rounds to tell a difference from chance: 1 round of the 7 that 3 arms need.'],
  ])('says in one line how many rounds a verdict takes: %i are too few', (rounds, line) => {
    const text = comparisonTable(makeRecord({ design: makeDesign({ rounds }) }), {
      color: false,
      width: 200,
    });
    expect(text).toContain(`\n${line} Compare again with --rounds 7 or more.\n`);
    expect(comparisonTable(makeRecord(), plain)).not.toContain('Too few rounds');
  });

  it('says why a trial does not count', () => {
    expect(comparisonTable(makeRecord(), plain)).toContain(
      'Not counted\n- h3, 1 trial (block 4): the document came over h2, not h3',
    );
  });

  it('puts reasons together that differ in numbers at most', () => {
    const record = makeRecord({ design: makeDesign({ arms: ['h1', 'h2'] }) });
    const trials = record.trials.map((trial) => {
      const reasons = [`the processor was ${trial.block / 10} % idle during the load`];
      return trial.arm === 'h2' && trial.block > 7
        ? { ...trial, verdict: { ...trial.verdict, valid: false, reasons } }
        : trial;
    });
    expect(comparisonTable(makeRecord({ design: record.design, trials }), plain)).toContain(
      '- h2, 3 trials (blocks 8, 9, 10): the processor was 0.8 % idle during the load, and the like',
    );
  });

  it.each([80, 100, 140])('stays within %i columns', (width) => {
    const record = makeRecord({ design: makeDesign({ arms: ['h1', 'h2', 'h3', 'auto'] }) });
    const lines = comparisonTable(record, { color: false, width }).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
  });

  it('colours nothing when asked not to, and only adds colour when asked to', () => {
    const [colourless, coloured] = [false, true].map((color) =>
      comparisonTable(makeRecord(), { color, width: 100 }),
    );
    expect(colourless).not.toContain('\u001B');
    expect(coloured).toContain('\u001B');
    expect(stripVTControlCharacters(coloured ?? '').replaceAll(/ +$/gm, '')).toBe(colourless);
  });

  it('shows a run that was stopped before its first trial', () => {
    const record = makeRecord({ trials: [], outcome: 'cancelled' });
    const text = comparisonTable(record, plain);
    expect(text).toContain('The run was stopped after 0 trials (planned: 33).');
    expect(cells(text, 'h1 ')).toEqual(['h1', 'HTTP/1.1', '0 of 0', '-', '-', '-', '-', '-', '-']);
    expect(text).toContain('Nothing to compare: no two arms have a valid load in the same block.');
  });
});

function escaped(text: string): string {
  return text.replaceAll(/[()+.]/g, String.raw`\$&`);
}
