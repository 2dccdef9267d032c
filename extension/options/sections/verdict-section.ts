import type { ComparisonRecord } from '../../../shared/record/record.ts';
import { metrics, type Metric } from '../../../shared/record/statistics.ts';
import { element } from '../../charts/element.ts';
import { armLabel } from '../../charts/arm-label.ts';
import { metricMeaning } from '../../charts/names.ts';
import { text } from '../../charts/text.ts';
import { percentOf } from '../../charts/format.ts';
import { leadingMetric } from '../../charts/trial-metric.ts';
import { headline, verdictSentence } from '../../charts/verdict-sentence.ts';
import { metricChoice } from './metric-choice.ts';

/** The answer: one line for five seconds, then every pair with its interval, by the metric one chooses. */
export function verdictSection(record: ComparisonRecord): HTMLElement {
  const { pairs } = record.statistics;
  const known = metrics.filter((metric) =>
    pairs.some((pair) => pair.metric === metric && pair.reductionPercent !== null),
  );
  const title = element('h2', { class: 'headline', id: 'answer' });
  const list = element('ul', { class: 'answers' });
  const meaning = element('p', { class: 'caption' });
  function show(metric: Metric): void {
    title.textContent = headline(pairs, metric);
    meaning.textContent = `${metricMeaning(metric)} ${text('measureInterval', percentOf(record.statistics.confidence))}`;
    list.replaceChildren(
      ...pairs
        .filter((pair) => pair.metric === metric)
        .map((pair) => {
          const { answer, interval } = verdictSentence(pair);
          return element(
            'li',
            { 'data-direction': pair.verdict.direction },
            element(
              'span',
              { class: 'pair', 'aria-hidden': 'true' },
              armLabel(pair.variant, ''),
              armLabel(pair.baseline, ''),
            ),
            element('span', { class: 'answer' }, answer),
            interval === null ? null : element('span', { class: 'interval' }, interval),
          );
        }),
    );
  }

  const choice = metricChoice(known, leadingMetric(pairs), show);
  return element(
    'section',
    { class: 'verdict', 'aria-labelledby': 'answer' },
    title,
    list,
    element('div', { class: 'measure' }, choice, meaning),
  );
}
