import type { ComparisonSummary } from '../../../../shared/record/comparison-summary.ts';
import type { Metric } from '../../../../shared/record/statistics.ts';
import { element } from '../../../charts/element.ts';
import { forestChart } from '../../../charts/forest-chart.ts';
import { formatDate } from '../../../charts/format.ts';
import { armName, metricName } from '../../../charts/names.ts';
import { text } from '../../../charts/text.ts';
import { browserWords } from '../../browser-words.ts';
import { hashOf } from '../../route.ts';
import { everything, pairsOf, type OverviewChoice } from './overview-choice.ts';

/** As many lines as a person takes in; the list of comparisons has the rest. */
const drawnAtMost = 36;

/** The gains of the comparisons shown, in their order, each a way to its comparison. */
export function gainsForest(
  shown: readonly ComparisonSummary[],
  choice: OverviewChoice,
  metric: Metric,
): HTMLElement | null {
  const known = shown.flatMap((summary) =>
    pairsOf(summary, choice.pair, metric)
      .filter((pair) => pair.reductionPercent !== null)
      .map((pair) => ({ summary, pair })),
  );
  const rows = known.slice(0, drawnAtMost).map(({ summary, pair }) => {
    const pairName = text('gainsLabel', armName(pair.variant), armName(pair.baseline));
    return {
      label: [summary.asked, formatDate(summary.createdAt), pairName].join(' · '),
      lines: [
        choice.page === everything ? withoutScheme(summary.asked) : formatDate(summary.createdAt),
        ...(choice.pair === everything ? [pairName] : []),
        // Another thing than a browser made for measuring, and not to be taken for one.
        ...(summary.browser.own ? [browserWords(summary.browser)] : []),
      ],
      pair,
      href: hashOf({ page: 'comparison', id: summary.id }),
    };
  });
  const chart = forestChart({
    title: text('overviewForest'),
    caption: text('overviewForestCaption', metricName(metric)),
    fileName: 'towline-overview',
    labelHeader: text('columnPage'),
    rows,
  });
  if (!chart || known.length <= drawnAtMost) return chart;
  return element(
    'div',
    {},
    chart,
    element('p', { class: 'caption' }, text('overviewForestMore', String(drawnAtMost), String(known.length))),
  );
}

function withoutScheme(address: string): string {
  return address.replace(/^https?:\/\//, '').replace(/\/$/, '');
}
