import type { ComparisonSummary } from '../../../../shared/record/comparison-summary.ts';
import type { Metric } from '../../../../shared/record/statistics.ts';
import { endCharts } from '../../../charts/chart-figure.ts';
import { element } from '../../../charts/element.ts';
import { overTimeChart } from '../../../charts/over-time-chart.ts';
import { text } from '../../../charts/text.ts';
import { leadingMetric } from '../../../charts/trial-metric.ts';
import { section } from '../section.ts';
import { comparisonList } from './comparison-list.ts';
import { countCards } from './count-cards.ts';
import { overviewFilters } from './filters.ts';
import { gainsForest } from './gains-forest.ts';
import { chosen, everything, knownPairs, pairsOf, type OverviewChoice } from './overview-choice.ts';

/** Filters, and what passes them: counts of answers, gains, a page over time, and the list. */
export function overviewResults(
  summaries: readonly ComparisonSummary[],
  damaged: readonly string[],
  choice: OverviewChoice,
): HTMLElement {
  const pairs = knownPairs(summaries);
  if (!pairs.some(({ key }) => key === choice.pair)) choice.pair = everything;
  const filters = element('div');
  const results = element('div');

  function show(): void {
    const metric = choice.metric ?? leadingMetric(summaries.flatMap((summary) => summary.pairs));
    const shown = chosen(summaries, choice, metric);
    const focused = filters.contains(document.activeElement) ? focusedPlace(filters) : null;
    if (summaries.length > 1) filters.replaceChildren(overviewFilters(summaries, choice, metric, show));
    if (focused !== null) controlsOf(filters)[focused]?.focus();
    const many = summaries.length > 1 && shown.length > 0;
    endCharts(results);
    results.replaceChildren(
      ...[
        many ? countCards(shown, pairs, metric) : null,
        many ? gainsForest(shown, choice, metric) : null,
        many && choice.page !== everything ? overTime(shown, choice, metric) : null,
        section(
          text('listTitle', String(shown.length), String(summaries.length)),
          comparisonList({
            shown,
            damaged,
            order: choice.order,
            onOrder(order) {
              choice.order = order;
              show();
            },
          }),
        ),
      ].filter((part) => part !== null),
    );
  }

  show();
  return element(
    'section',
    {},
    summaries.length > 1 ? element('h2', {}, text('overviewAnswers')) : null,
    filters,
    results,
  );
}

function controlsOf(filters: HTMLElement): HTMLElement[] {
  return [...filters.querySelectorAll<HTMLElement>('select, input')];
}

/** Controls are made anew with each choice: the keyboard stays where it was. */
function focusedPlace(filters: HTMLElement): number {
  return controlsOf(filters).findIndex((control) => control === document.activeElement);
}

function overTime(
  shown: readonly ComparisonSummary[],
  choice: OverviewChoice,
  metric: Metric,
): HTMLElement | null {
  return overTimeChart(
    shown.flatMap((summary) =>
      pairsOf(summary, choice.pair, metric).map((pair) => ({ createdAt: summary.createdAt, pair })),
    ),
    metric,
  );
}
