import type { ComparisonSummary } from '../../../shared/record/comparison-summary.ts';
import type { ComparisonRecord } from '../../../shared/record/record.ts';
import { dataTable, scrolling } from '../../charts/data-table.ts';
import { element } from '../../charts/element.ts';
import { formatDate } from '../../charts/format.ts';
import { text } from '../../charts/text.ts';
import { leadingMetric } from '../../charts/trial-metric.ts';
import { headline } from '../../charts/verdict-sentence.ts';
import { browserWords } from '../browser-words.ts';
import { networkWords } from '../network-words.ts';
import type { RecordSource } from '../record-source.ts';
import { hashOf } from '../route.ts';

/** As many as are worth looking through; the overview has the rest. */
const shownAtMost = 12;

/**
 * Other comparisons of the same page, each a way to see both side by side. Empty until the list is read, and
 * where there is no other: the page does not wait for it.
 */
export function historySection(record: ComparisonRecord, source: RecordSource): HTMLElement {
  const place = element('div');
  void source.list(record.target.asked).then((stored) => {
    const others = stored.flatMap(({ summary }) => summary ?? []).filter(({ id }) => id !== record.id);
    if (others.length === 0) return;
    place.append(
      element(
        'section',
        {},
        element('h2', {}, text('historyTitle')),
        scrolling(table(record, others.slice(0, shownAtMost)), { named: true }),
        others.length > shownAtMost
          ? element(
              'p',
              { class: 'caption' },
              text('historyMore', String(shownAtMost), String(others.length)),
            )
          : null,
      ),
    );
  });
  return place;
}

function table(record: ComparisonRecord, others: readonly ComparisonSummary[]): HTMLTableElement {
  return dataTable(
    text('historyTitle'),
    [
      { header: text('columnWhen') },
      { header: text('columnAnswer') },
      { header: text('columnNetwork') },
      { header: text('columnBrowser') },
      { header: text('historyVersus') },
    ],
    others.map((other) => [
      element(
        'a',
        { href: hashOf({ page: 'comparison', id: other.id }), class: 'moment' },
        formatDate(other.createdAt),
      ),
      headline(other.pairs, leadingMetric(other.pairs)),
      networkWords(other.pathKind, other.shape),
      browserWords(other.browser),
      element(
        'a',
        { href: hashOf({ page: 'versus', first: other.id, second: record.id }) },
        text('historyCompare'),
      ),
    ]),
  );
}
