import { ArmSchema, type Arm } from '../../../shared/record/arm.ts';
import type { ComparisonSummary } from '../../../shared/record/comparison-summary.ts';
import type { Metric, Pair } from '../../../shared/record/statistics.ts';
import { endCharts } from '../../charts/chart-figure.ts';
import { element } from '../../charts/element.ts';
import { forestChart } from '../../charts/forest-chart.ts';
import { formatDate } from '../../charts/format.ts';
import { armName, metricName } from '../../charts/names.ts';
import { text } from '../../charts/text.ts';
import { networkWords } from '../network-words.ts';

/** As many lines as a person takes in; the table of all comparisons has the rest. */
const drawnAtMost = 40;

interface Choice {
  pair: string;
  metric: Metric;
  browser: string;
  network: string;
  sort: 'newest' | 'gain';
}

const everything = '';

/** Wins, losses and no differences per pair, and a forest plot of one pair's gains over the comparisons. */
export function gainsOverview(summaries: readonly ComparisonSummary[]): HTMLElement {
  const pairs = pairsOf(summaries);
  const choice: Choice = {
    pair: pairs[0]?.key ?? '',
    metric: summaries.some((summary) => pairOf(summary, pairs[0]?.key ?? '', 'timeOnWireMs'))
      ? 'timeOnWireMs'
      : 'loadTimeMs',
    browser: everything,
    network: everything,
    sort: 'newest',
  };
  const counts = element('div', { class: 'counts' });
  const forest = element('div');

  function show(): void {
    const shown = summaries.filter(
      (summary) =>
        (choice.browser === everything || summary.browser.name === choice.browser) &&
        (choice.network === everything || networkOf(summary) === choice.network),
    );
    counts.replaceChildren(
      ...pairs.map(({ key, label }) => countCard(label, pairsIn(shown, key, choice.metric))),
    );
    endCharts(forest);
    forest.replaceChildren(
      ...forestOf(shown, choice, pairs.find(({ key }) => key === choice.pair)?.label ?? ''),
    );
  }

  function select<Key extends keyof Choice>(
    label: string,
    key: Key,
    options: readonly { value: Choice[Key]; label: string }[],
  ): HTMLElement | null {
    if (options.length < 2) return null;
    const control = element(
      'select',
      {},
      ...options.map((option) =>
        element('option', { value: option.value, selected: option.value === choice[key] }, option.label),
      ),
    );
    control.addEventListener('change', () => {
      const chosen = options[control.selectedIndex];
      if (chosen) choice[key] = chosen.value;
      show();
    });
    return element('label', { class: 'filter' }, element('span', {}, label), control);
  }

  const all = { value: everything, label: text('filterAll') };
  const browsers = distinct(summaries.map(({ browser }) => browser.name));
  const networks = distinct(summaries.map(networkOf));
  const filters = element(
    'div',
    { class: 'filters' },
    select(
      text('filterPair'),
      'pair',
      pairs.map(({ key, label }) => ({ value: key, label })),
    ),
    select(
      text('filterMetric'),
      'metric',
      (['timeOnWireMs', 'loadTimeMs', 'setupMs', 'wireTotalMs'] as const).map((metric) => ({
        value: metric,
        label: metricName(metric),
      })),
    ),
    browsers.length > 1
      ? select(text('filterBrowser'), 'browser', [
          all,
          ...browsers.map((name) => ({ value: name, label: name === 'firefox' ? 'Firefox' : 'Chromium' })),
        ])
      : null,
    networks.length > 1
      ? select(text('filterNetwork'), 'network', [
          all,
          ...networks.map((network) => ({ value: network, label: network })),
        ])
      : null,
    select(text('filterSort'), 'sort', [
      { value: 'newest', label: text('sortNewest') },
      { value: 'gain', label: text('sortGain') },
    ]),
  );
  show();
  return element('section', {}, element('h2', {}, text('overviewAnswers')), filters, counts, forest);
}

function forestOf(shown: readonly ComparisonSummary[], choice: Choice, pairLabel: string): HTMLElement[] {
  const rows = shown.flatMap((summary) => {
    const pair = pairOf(summary, choice.pair, choice.metric);
    return pair?.reductionPercent
      ? [
          {
            label: `${summary.asked} · ${formatDate(summary.createdAt)}`,
            pair,
            gain: pair.reductionPercent.value,
          },
        ]
      : [];
  });
  const drawn = rows.slice(0, drawnAtMost);
  if (choice.sort === 'gain') drawn.sort((a, b) => b.gain - a.gain);
  const chart = forestChart({
    title: text('overviewForest'),
    caption: text('overviewForestCaption', pairLabel, metricName(choice.metric)),
    fileName: 'towline-overview',
    labelHeader: text('columnPage'),
    rows: drawn,
  });
  if (!chart) return [];
  if (rows.length <= drawnAtMost) return [chart];
  return [
    chart,
    element('p', { class: 'caption' }, text('overviewForestMore', String(drawnAtMost), String(rows.length))),
  ];
}

function countCard(label: string, pairs: readonly Pair[]): HTMLElement {
  const count = (direction: Pair['verdict']['direction']): number =>
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

/** Pairs of arms that any comparison has, in the order of the arms. */
function pairsOf(summaries: readonly ComparisonSummary[]): { key: string; label: string }[] {
  const present = new Set(summaries.flatMap(({ pairs }) => pairs.map(keyOf)));
  const arms: readonly Arm[] = ArmSchema.options;
  return arms
    .flatMap((variant) => arms.map((baseline) => ({ variant, baseline })))
    .filter((pair) => present.has(keyOf(pair)))
    .map((pair) => ({
      key: keyOf(pair),
      label: text('overviewCounts', armName(pair.variant), armName(pair.baseline)),
    }));
}

function keyOf({ variant, baseline }: Pick<Pair, 'variant' | 'baseline'>): string {
  return `${variant}/${baseline}`;
}

function pairOf(summary: ComparisonSummary, key: string, metric: Metric): Pair | undefined {
  return summary.pairs.find((pair) => keyOf(pair) === key && pair.metric === metric);
}

function pairsIn(summaries: readonly ComparisonSummary[], key: string, metric: Metric): Pair[] {
  return summaries.flatMap((summary) => pairOf(summary, key, metric) ?? []);
}

function networkOf(summary: ComparisonSummary): string {
  return networkWords(summary.pathKind, summary.shape);
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
