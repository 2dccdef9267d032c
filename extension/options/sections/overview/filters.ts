import type { ComparisonSummary } from '../../../../shared/record/comparison-summary.ts';
import { metrics, type Metric } from '../../../../shared/record/statistics.ts';
import { element } from '../../../charts/element.ts';
import { metricName } from '../../../charts/names.ts';
import { text } from '../../../charts/text.ts';
import {
  everything,
  facets,
  knownPairs,
  type Facet,
  type Order,
  type OverviewChoice,
} from './overview-choice.ts';

interface Option<Value> {
  value: Value;
  label: string;
}

/** Controls for what the overview shows; each changes the choice and calls back. A choice of one is left out. */
export function overviewFilters(
  summaries: readonly ComparisonSummary[],
  choice: OverviewChoice,
  metric: Metric,
  onChange: () => void,
): HTMLElement {
  const pairs = knownPairs(summaries).map(({ key, label }) => ({ value: key, label }));
  return element(
    'div',
    { class: 'filters', role: 'group', 'aria-label': text('filterGroup') },
    facetSelect(text('columnPage'), 'page', summaries, choice, onChange),
    select(
      text('filterPair'),
      pairs.length < 2 ? [] : [{ value: everything, label: text('filterAllPairs') }, ...pairs],
      choice.pair,
      (pair) => {
        choice.pair = pair;
        onChange();
      },
    ),
    select(
      text('filterMetric'),
      metrics.map((value) => ({ value, label: metricName(value) })),
      metric,
      (value) => {
        choice.metric = value;
        onChange();
      },
    ),
    facetSelect(text('filterNetwork'), 'network', summaries, choice, onChange),
    facetSelect(text('filterCondition'), 'condition', summaries, choice, onChange),
    facetSelect(text('filterBrowser'), 'browser', summaries, choice, onChange),
    day(text('filterFrom'), 'from', choice, onChange),
    day(text('filterTo'), 'to', choice, onChange),
    select(text('filterSort'), orders(), choice.order, (order) => {
      choice.order = order;
      onChange();
    }),
  );
}

function orders(): Option<Order>[] {
  return [
    { value: 'newest', label: text('sortNewest') },
    { value: 'oldest', label: text('sortOldest') },
    { value: 'most-saved', label: text('sortGain') },
    { value: 'least-saved', label: text('sortLeast') },
    { value: 'page', label: text('sortPage') },
  ];
}

function facetSelect(
  label: string,
  facet: Facet,
  summaries: readonly ComparisonSummary[],
  choice: OverviewChoice,
  onChange: () => void,
): HTMLElement | null {
  const values = [...new Set(summaries.map(facets[facet]))].sort((a, b) => a.localeCompare(b));
  const options = values.map((value) => ({ value, label: value }));
  // What was chosen may have been deleted since.
  if (choice[facet] !== everything && !values.includes(choice[facet])) choice[facet] = everything;
  return select(
    label,
    values.length < 2 ? [] : [{ value: everything, label: text('filterAll') }, ...options],
    choice[facet],
    (value) => {
      choice[facet] = value;
      onChange();
    },
  );
}

function select<Value extends string>(
  label: string,
  options: readonly Option<Value>[],
  now: Value,
  choose: (value: Value) => void,
): HTMLElement | null {
  if (options.length < 2) return null;
  const control = element(
    'select',
    {},
    ...options.map(({ value, label: words }) => element('option', { value, selected: value === now }, words)),
  );
  control.addEventListener('change', () => {
    const option = options[control.selectedIndex];
    if (option) choose(option.value);
  });
  return element('label', { class: 'filter' }, element('span', {}, label), control);
}

function day(label: string, end: 'from' | 'to', choice: OverviewChoice, onChange: () => void): HTMLElement {
  const control = element('input', { type: 'date', value: choice[end] });
  control.addEventListener('change', () => {
    choice[end] = control.value;
    onChange();
  });
  return element('label', { class: 'filter' }, element('span', {}, label), control);
}
