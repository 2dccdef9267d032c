import { metrics, type Metric } from '../../../shared/record/statistics.ts';
import { button, element } from '../../charts/element.ts';
import { metricName } from '../../charts/names.ts';
import { text } from '../../charts/text.ts';

/** Buttons to judge by one metric or another; null where there is no choice. Shows `first` from the start. */
export function metricChoice(
  known: readonly Metric[],
  first: Metric,
  show: (metric: Metric) => void,
): HTMLElement | null {
  const choices = metrics
    .filter((metric) => known.includes(metric))
    .map((metric) => ({
      metric,
      button: button(metricName(metric), () => {
        choose(metric);
      }),
    }));

  function choose(chosen: Metric): void {
    for (const choice of choices)
      choice.button.setAttribute('aria-pressed', String(choice.metric === chosen));
    show(chosen);
  }

  choose(first);
  if (choices.length < 2) return null;
  return element(
    'div',
    { class: 'segmented', role: 'group', 'aria-label': text('measureLabel') },
    element('span', { class: 'label' }, text('measureLabel')),
    ...choices.map((choice) => choice.button),
  );
}
