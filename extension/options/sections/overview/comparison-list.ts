import type { ComparisonSummary } from '../../../../shared/record/comparison-summary.ts';
import { dataTable, scrolling, type Column } from '../../../charts/data-table.ts';
import { button, element, type Child } from '../../../charts/element.ts';
import { formatDate } from '../../../charts/format.ts';
import { text } from '../../../charts/text.ts';
import { leadingMetric } from '../../../charts/trial-metric.ts';
import { headline } from '../../../charts/verdict-sentence.ts';
import { browserWords } from '../../browser-words.ts';
import { networkWords } from '../../network-words.ts';
import { hashOf } from '../../route.ts';
import type { Order } from './overview-choice.ts';

/** Rows that are drawn at once: a thousand would keep the page busy before anyone reads the first. */
const rowsAtOnce = 100;

export interface ComparisonListParts {
  shown: readonly ComparisonSummary[];
  /** Ids of stored entries that cannot be read: shown last, so that they can be opened and deleted. */
  damaged: readonly string[];
  order: Order;
  onOrder: (order: Order) => void;
}

/** The comparisons shown, one row each, the newest hundred first where there are more. */
export function comparisonList(parts: ComparisonListParts): HTMLElement {
  const { shown, damaged } = parts;
  const place = element('div', { class: 'list' });
  const draw = (atMost: number): void => {
    place.replaceChildren(
      scrolling(
        dataTable(text('listCaption'), columns(parts), [
          ...shown.slice(0, atMost).map(row),
          ...damaged.map((id) => [link(id, id), text('listDamaged'), '', '', '', '']),
        ]),
        { named: true },
      ),
    );
    if (shown.length <= atMost) return;
    place.append(
      button(text('listAll', String(shown.length)), () => {
        draw(shown.length);
      }),
    );
  };
  draw(rowsAtOnce);
  return place;
}

function columns({ order, onOrder }: ComparisonListParts): Column[] {
  return [
    {
      header: text('columnPage'),
      sort: {
        direction: order === 'page' ? 'ascending' : null,
        onSort: () => {
          onOrder('page');
        },
      },
    },
    { header: text('columnAnswer') },
    {
      header: text('columnWhen'),
      sort: {
        direction: order === 'newest' ? 'descending' : order === 'oldest' ? 'ascending' : null,
        onSort: () => {
          onOrder(order === 'newest' ? 'oldest' : 'newest');
        },
      },
    },
    { header: text('columnNetwork') },
    { header: text('columnBrowser') },
    { header: text('columnValid'), numeric: true },
  ];
}

function row(summary: ComparisonSummary): Child[] {
  return [
    link(summary.id, summary.asked),
    headline(summary.pairs, leadingMetric(summary.pairs)),
    element('span', { class: 'moment' }, formatDate(summary.createdAt)),
    networkWords(summary.pathKind, summary.shape),
    browserWords(summary.browser),
    `${summary.validTrials} / ${summary.trials}`,
  ];
}

function link(id: string, label: string): HTMLElement {
  return element('a', { href: hashOf({ page: 'comparison', id }), class: 'address' }, label);
}
