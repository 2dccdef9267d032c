import type { ComparisonRecord } from '../../../shared/record/record.ts';
import type { Trial } from '../../../shared/record/trial.ts';
import { countedBlocks, metricOf } from '../../../shared/stats/counted-blocks.ts';
import { armLabel } from '../../charts/arm-label.ts';
import { dataTable, scrolling } from '../../charts/data-table.ts';
import { element } from '../../charts/element.ts';
import { errorWords } from '../../charts/error-words.ts';
import { bareMs } from '../../charts/format.ts';
import { metricName } from '../../charts/names.ts';
import { retell } from '../../charts/retell.ts';
import { text } from '../../charts/text.ts';
import { hashOf } from '../route.ts';
import { section } from './section.ts';

/** The loads that do not count with their reasons, then all of them, each a way to its own page. */
export function trialsSection(record: ComparisonRecord): HTMLElement | null {
  const invalid = record.trials.filter((trial) => !trial.verdict.valid && !trial.warmup);
  const counted = new Set(countedBlocks(record.trials).flatMap((block) => [...block.values()]));
  return section(
    text('sectionTrials'),
    invalid.length > 0 && invalidList(record, invalid),
    element(
      'details',
      { class: 'all-trials' },
      element('summary', {}, text('trialsCaption')),
      scrolling(
        dataTable(
          text('trialsCaption'),
          [
            { header: text('columnTrial') },
            { header: text('columnArm') },
            { header: text('columnRound'), numeric: true },
            { header: metricName('timeOnWireMs'), numeric: true },
            { header: metricName('loadTimeMs'), numeric: true },
            { header: text('columnResult') },
          ],
          record.trials.map((trial) => [
            trialLink(record, trial, String(trial.index + 1)),
            armLabel(trial.arm),
            String(trial.block),
            bareMs(metricOf(trial, 'timeOnWireMs')),
            bareMs(trial.loadTimeMs),
            resultWords(trial, counted.has(trial)),
          ]),
        ),
        { named: true },
      ),
    ),
  );
}

/** Invalid loads under one another's reason: one cause rarely strikes once. */
function invalidList(record: ComparisonRecord, invalid: readonly Trial[]): HTMLElement {
  const byReason = new Map<string, Trial[]>();
  for (const trial of invalid) {
    const reason = reasonsOf(trial) || (trial.error ? errorWords(trial.error).message : '');
    byReason.set(reason, [...(byReason.get(reason) ?? []), trial]);
  }
  const title =
    invalid.length === 1 ? text('trialsInvalidTitleOne') : text('trialsInvalidTitle', String(invalid.length));
  return element(
    'div',
    { class: 'invalid', id: 'invalid' },
    element('h3', {}, title),
    element(
      'ul',
      {},
      ...[...byReason].map(([reason, trials]) =>
        element(
          'li',
          {},
          element('span', { class: 'reason' }, reason),
          ' ',
          ...trials.map((trial) =>
            element(
              'span',
              { class: 'trial-chip' },
              armLabel(trial.arm),
              ' ',
              trialLink(record, trial, text('columnTrial') + ` ${trial.index + 1}`),
            ),
          ),
        ),
      ),
    ),
  );
}

function trialLink(record: ComparisonRecord, trial: Trial, label: string): HTMLElement {
  return element('a', { href: hashOf({ page: 'trial', id: record.id, index: trial.index }) }, label);
}

export function resultWords(trial: Trial, counts: boolean): string {
  if (trial.warmup) return text('trialWarmup');
  if (!trial.verdict.valid) return text('trialInvalid', reasonsOf(trial));
  return text(counts ? 'trialCounts' : 'trialRepeated');
}

/** Why it does not count; empty where no rule says so. */
function reasonsOf({ verdict }: Trial): string {
  return verdict.reasons.map(retell).join('; ');
}
