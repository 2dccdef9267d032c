import { element } from '../../../charts/element.ts';
import { dataTable, scrolling } from '../../../charts/data-table.ts';
import { formatDate, formatMs, missing } from '../../../charts/format.ts';
import { text } from '../../../charts/text.ts';
import { browserWords } from '../../browser-words.ts';
import { networkWords } from '../../network-words.ts';
import { hashOf } from '../../route.ts';
import { section } from '../section.ts';
import type { Side } from './sides.ts';

/** What was the same and what was not: whatever was not may be the cause of a change. */
export function conditionsSection(both: readonly [Side, Side]): HTMLElement | null {
  const facts: readonly (readonly [what: string, of: (side: Side) => string])[] = [
    [text('columnPage'), ({ record }) => record.target.asked],
    [text('columnNetwork'), ({ record }) => networkWords(record.path.kind, record.path.asked)],
    [text('versusRtt'), ({ record }) => formatMs(record.path.measuredBefore?.rttMs ?? null)],
    [text('columnBrowser'), ({ record }) => browserWords(record.environment.browser)],
    [
      text('envSystem'),
      ({ record }) => `${record.environment.os}, ${record.environment.kernel}, ${record.environment.cpu}`,
    ],
    [text('columnWhen'), ({ record }) => formatDate(record.createdAt)],
    [text('envTowline'), ({ record }) => record.environment.towlineVersion],
    [text('columnValid'), ({ record }) => validLoads(record)],
  ];
  return section(
    text('versusConditions'),
    scrolling(
      dataTable(
        text('versusConditions'),
        [{ header: text('columnWhat') }, { header: 'A' }, { header: 'B' }, { header: text('versusDiffers') }],
        [
          ...facts.map(([what, of]) => {
            const [first, second] = both.map(of);
            const differs = first !== second;
            return [
              what,
              first ?? missing,
              second ?? missing,
              element(differs ? 'strong' : 'span', {}, text(differs ? 'versusYes' : 'versusNo')),
            ];
          }),
          [text('versusOpen'), ...both.map(open), ''],
        ],
      ),
      { named: true },
    ),
  );
}

function open({ letter, record }: Side): HTMLElement {
  return element('a', { href: hashOf({ page: 'comparison', id: record.id }) }, text('versusOpenOne', letter));
}

function validLoads({ trials }: Side['record']): string {
  const run = trials.filter((trial) => !trial.warmup);
  return `${run.filter((trial) => trial.verdict.valid).length} / ${run.length}`;
}
