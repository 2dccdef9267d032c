import type { ComparisonSummary } from '../../../../shared/record/comparison-summary.ts';
import type { Metric, PairAnswer } from '../../../../shared/record/statistics.ts';
import { element } from '../../../charts/element.ts';
import { text } from '../../../charts/text.ts';
import { pairsOf } from './overview-choice.ts';

/** Per pair: in how many comparisons it was faster, slower, or neither was shown. */
export function countCards(
  summaries: readonly ComparisonSummary[],
  pairs: readonly { key: string; label: string }[],
  metric: Metric,
): HTMLElement {
  return element(
    'div',
    { class: 'counts' },
    ...pairs.map(({ key, label }) =>
      countCard(
        label,
        summaries.flatMap((summary) => pairsOf(summary, key, metric)),
      ),
    ),
  );
}

function countCard(label: string, pairs: readonly PairAnswer[]): HTMLElement {
  const count = (direction: PairAnswer['verdict']['direction']): number =>
    pairs.filter((pair) => pair.verdict.direction === direction).length;
  const figure = (value: number, words: string): HTMLElement =>
    element('li', {}, element('strong', {}, String(value)), ` ${words}`);
  return element(
    'div',
    { class: 'count-card' },
    element('h3', {}, label),
    element(
      'ul',
      {},
      figure(count('faster'), text('countFaster')),
      figure(count('slower'), text('countSlower')),
      figure(count('no-difference-shown'), text('countNone')),
      count('not-enough-data') > 0 ? figure(count('not-enough-data'), text('countNotEnough')) : null,
    ),
  );
}
