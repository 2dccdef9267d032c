import type { ComparisonRecord } from '../../../shared/record/record.ts';
import { metrics, type SampleSummary } from '../../../shared/record/statistics.ts';
import { armLabel } from '../../charts/arm-label.ts';
import { dataTable, scrolling } from '../../charts/data-table.ts';
import { element } from '../../charts/element.ts';
import { bareMs, formatRange, missing } from '../../charts/format.ts';
import { metricName } from '../../charts/names.ts';
import { text } from '../../charts/text.ts';

/** Per arm: how many loads count, and every metric's median and p10 to p90. */
export function armsTable(record: ComparisonRecord): HTMLElement {
  return scrolling(
    dataTable(
      text('armsTableCaption'),
      [
        { header: text('columnArm') },
        { header: text('columnValid'), numeric: true },
        ...metrics.map((metric) => ({ header: metricName(metric), numeric: true })),
      ],
      record.statistics.arms.map(({ arm, trials, valid, metrics: summaries }) => [
        armLabel(arm),
        `${valid} / ${trials}`,
        ...metrics.map((metric) => summaryCell(summaries[metric] ?? null)),
      ]),
    ),
  );
}

function summaryCell(summary: SampleSummary | null): HTMLElement {
  if (!summary) return element('span', {}, missing);
  return element(
    'span',
    { class: 'summary' },
    element('strong', {}, bareMs(summary.median)),
    ' ',
    element('span', { class: 'range' }, formatRange(summary.p10, summary.p90)),
  );
}
