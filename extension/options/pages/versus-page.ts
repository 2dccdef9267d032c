import { metrics, type Metric } from '../../../shared/record/statistics.ts';
import type { ComparisonRecord } from '../../../shared/record/record.ts';
import { endCharts } from '../../charts/chart-figure.ts';
import { ecdfCurves } from '../../charts/ecdf-chart.ts';
import { element } from '../../charts/element.ts';
import { forestChart } from '../../charts/forest-chart.ts';
import { armName, metricMeaning } from '../../charts/names.ts';
import { text } from '../../charts/text.ts';
import { countedValues, leadingMetric } from '../../charts/trial-metric.ts';
import { hashOf } from '../route.ts';
import { metricChoice } from '../sections/metric-choice.ts';
import { section } from '../sections/section.ts';
import { changesSection } from '../sections/versus/changes-section.ts';
import { conditionsSection } from '../sections/versus/conditions-section.ts';
import { sides, type Side } from '../sections/versus/sides.ts';
import type { OffPageStatistics } from '../statistics/off-page-statistics.ts';

/** Two comparisons side by side: what was different, and what differs in the result. */
export function versusPage(
  first: ComparisonRecord,
  second: ComparisonRecord,
  statistics: OffPageStatistics,
): HTMLElement {
  const both = sides(first, second);
  const changes = element('div', { 'aria-live': 'polite' });
  const meaning = element('p', { class: 'caption' });
  const charts = element('div');
  let shown: Metric | null = null;

  function show(metric: Metric): void {
    shown = metric;
    meaning.textContent = `${metricMeaning(metric)} ${text('versusMeaning')}`;
    changes.replaceChildren(element('p', {}, text('versusReckoning')));
    statistics.changes(first, second, metric).then(
      (found) => {
        // Another metric may have been chosen meanwhile.
        if (shown === metric) changes.replaceChildren(changesSection(both, found, metric));
      },
      (error: unknown) => {
        if (shown === metric) changes.replaceChildren(element('p', { class: 'notice' }, String(error)));
      },
    );
    endCharts(charts);
    charts.replaceChildren(...[gains(both, metric), times(both, metric)].filter((chart) => chart !== null));
  }

  const known = metrics.filter((metric) => both.every((side) => knows(side, metric)));
  const choice = metricChoice(
    known,
    leadingMetric(both.flatMap(({ record }) => record.statistics.pairs)),
    show,
  );
  const samePage = first.target.asked === second.target.asked;
  return element(
    'article',
    { 'data-title': text('versusTitle') },
    element('p', { class: 'breadcrumb' }, element('a', { href: hashOf({ page: 'overview' }) }, text('back'))),
    element('h1', { class: 'address' }, samePage ? first.target.asked : text('versusTitle')),
    element('p', { class: 'subtitle' }, text('versusSubtitle')),
    samePage ? null : element('p', { class: 'notice', role: 'note' }, text('versusOtherPage')),
    element(
      'section',
      { class: 'verdict', 'aria-label': text('versusAnswer') },
      changes,
      element('div', { class: 'measure' }, choice, meaning),
    ),
    element('p', { class: 'count-line' }, text('versusCaveat')),
    conditionsSection(both),
    section(text('sectionTimes'), charts),
  );
}

function knows({ record }: Side, metric: Metric): boolean {
  return record.statistics.pairs.some((pair) => pair.metric === metric && pair.reductionPercent !== null);
}

function gains(both: readonly Side[], metric: Metric): HTMLElement | null {
  const pairs = both.flatMap((side) =>
    side.record.statistics.pairs.filter((pair) => pair.metric === metric).map((pair) => ({ side, pair })),
  );
  const rows = pairs.map(({ side, pair }) => ({
    label: `${text('gainsLabel', armName(pair.variant), armName(pair.baseline))} · ${side.letter}`,
    pair,
  }));
  return forestChart({
    title: text('versusGains'),
    caption: text('gainsCaption'),
    fileName: 'towline-versus-gains',
    labelHeader: text('columnPair'),
    // The same pair of both comparisons stands together.
    rows: rows.toSorted((a, b) => a.label.localeCompare(b.label)),
  });
}

function times(both: readonly Side[], metric: Metric): HTMLElement | null {
  return ecdfCurves(
    metric,
    both.flatMap(({ record, letter }, place) =>
      record.design.arms.map((arm) => ({
        arm,
        label: `${armName(arm)} · ${letter}`,
        values: countedValues(record, arm, metric),
        dashed: place > 0,
      })),
    ),
  );
}
