import { metrics, type Metric } from '../../../shared/record/statistics.ts';
import { metricName } from '../../charts/names.ts';
import { segmented } from '../../charts/segmented.ts';
import { text } from '../../charts/text.ts';

/** Buttons to judge by one metric or another; null where there is no choice. Shows `first` from the start. */
export function metricChoice(
  known: readonly Metric[],
  first: Metric,
  show: (metric: Metric) => void,
): HTMLElement | null {
  const choices = metrics
    .filter((metric) => known.includes(metric))
    .map((metric) => ({ value: metric, label: metricName(metric) }));
  const buttons = segmented(text('measureLabel'), choices, first, show);
  return choices.length < 2 ? null : buttons;
}
