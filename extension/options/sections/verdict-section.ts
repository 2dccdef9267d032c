import type { ComparisonRecord } from '../../../shared/record/record.ts';
import { metrics, type Metric } from '../../../shared/record/statistics.ts';
import { button, element } from '../../charts/element.ts';
import { armLabel } from '../../charts/arm-label.ts';
import { metricMeaning, metricName } from '../../charts/names.ts';
import { text } from '../../charts/text.ts';
import { leadingMetric } from '../../charts/trial-metric.ts';
import { headline, verdictSentence } from '../../charts/verdict-sentence.ts';

/** The answer: one line for five seconds, then every pair with its interval, by the metric one chooses. */
export function verdictSection(record: ComparisonRecord): HTMLElement {
  const { pairs } = record.statistics;
  const known = metrics.filter((metric) =>
    pairs.some((pair) => pair.metric === metric && pair.reductionPercent !== null),
  );
  const title = element('h2', { class: 'headline', id: 'answer' });
  const list = element('ul', { class: 'answers' });
  const meaning = element('p', { class: 'caption' });
  const choices = known.map((metric) => ({
    metric,
    button: button(metricName(metric), () => {
      show(metric);
    }),
  }));

  function show(metric: Metric): void {
    title.textContent = headline(pairs, metric);
    meaning.textContent = `${metricMeaning(metric)} ${text('measureInterval')}`;
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
    for (const choice of choices)
      choice.button.setAttribute('aria-pressed', String(choice.metric === metric));
  }

  show(leadingMetric(pairs));
  return element(
    'section',
    { class: 'verdict', 'aria-labelledby': 'answer' },
    title,
    list,
    element(
      'div',
      { class: 'measure' },
      choices.length > 1
        ? element(
            'div',
            { class: 'segmented', role: 'group', 'aria-label': text('measureLabel') },
            element('span', { class: 'label' }, text('measureLabel')),
            ...choices.map((choice) => choice.button),
          )
        : null,
      meaning,
    ),
  );
}
