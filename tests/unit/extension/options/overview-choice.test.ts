import { expect, it } from 'vitest';
import {
  chosen,
  freshChoice,
  knownPairs,
} from '../../../../extension/options/sections/overview/overview-choice.ts';
import { summaryOf, type ComparisonSummary } from '../../../../shared/record/comparison-summary.ts';
import { makeRecord } from '../../../fixtures/record/make-record.ts';

const template = summaryOf(makeRecord());

function comparison(id: string, overrides: Partial<ComparisonSummary> = {}): ComparisonSummary {
  return { ...template, id, ...overrides };
}

/** The same comparison, its HTTP/3 over HTTP/1.1 having saved so much. */
function saving(id: string, percent: number | null): ComparisonSummary {
  return comparison(id, {
    pairs: template.pairs.map((pair) =>
      pair.variant === 'h3' && pair.baseline === 'h1' && pair.metric === 'loadTimeMs'
        ? { ...pair, reductionPercent: percent === null ? null : { value: percent, low: null, high: null } }
        : pair,
    ),
  });
}

const idsOf = (summaries: readonly ComparisonSummary[]): string[] => summaries.map(({ id }) => id);

it('lets everything through until something is chosen, the newest first', () => {
  const all = [
    comparison('old', { createdAt: '2026-01-01T00:00:00.000Z' }),
    comparison('new', { createdAt: '2026-02-01T00:00:00.000Z' }),
  ];
  expect(idsOf(chosen(all, freshChoice(), 'loadTimeMs'))).toEqual(['new', 'old']);
  expect(idsOf(chosen(all, { ...freshChoice(), order: 'oldest' }, 'loadTimeMs'))).toEqual(['old', 'new']);
});

it('filters by page, network, condition and browser', () => {
  const firefox = { name: 'firefox', version: '153.0', headless: true } as const;
  const all = [
    comparison('lab'),
    comparison('own', { pathKind: 'rootless', shape: null, asked: 'https://a.example/', browser: firefox }),
  ];
  const passing = (part: Partial<ReturnType<typeof freshChoice>>): string[] =>
    idsOf(chosen(all, { ...freshChoice(), ...part }, 'loadTimeMs'));
  expect(passing({ page: 'https://a.example/' })).toEqual(['own']);
  expect(passing({ network: 'Lab' })).toEqual(['lab']);
  expect(passing({ condition: 'not shaped' })).toEqual(['own']);
  expect(passing({ browser: 'Firefox 153' })).toEqual(['own']);
  expect(passing({ browser: 'Firefox 153', network: 'Lab' })).toEqual([]);
});

it('filters by day in the reader’s own zone, both ends included', () => {
  // Local noon, whatever the zone of the machine.
  const noon = (day: number): string => new Date(2026, 0, day, 12).toISOString();
  const all = [1, 2, 3].map((day) => comparison(String(day), { createdAt: noon(day) }));
  const choice = { ...freshChoice(), from: '2026-01-02', to: '2026-01-02' };
  expect(idsOf(chosen(all, choice, 'loadTimeMs'))).toEqual(['2']);
  expect(idsOf(chosen(all, { ...choice, to: '' }, 'loadTimeMs'))).toEqual(['3', '2']);
});

it('sorts by time saved, those that do not know last', () => {
  const all = [saving('some', 5), saving('unknown', null), saving('none', -3), saving('most', 20)];
  const choice = { ...freshChoice(), pair: 'h3/h1' };
  expect(idsOf(chosen(all, { ...choice, order: 'most-saved' }, 'loadTimeMs'))).toEqual([
    'most',
    'some',
    'none',
    'unknown',
  ]);
  expect(idsOf(chosen(all, { ...choice, order: 'least-saved' }, 'loadTimeMs'))).toEqual([
    'none',
    'some',
    'most',
    'unknown',
  ]);
});

it('names the pairs that any comparison has, in the order of the arms', () => {
  expect(knownPairs([template]).map(({ key }) => key)).toEqual(['h2/h1', 'h3/h1', 'h3/h2']);
  expect(knownPairs([])).toEqual([]);
});
