import type { RunStatus } from '../../shared/messages/run-status.ts';
import { dataTable } from '../charts/data-table.ts';
import { element } from '../charts/element.ts';
import { barePercent, signedPercent } from '../charts/format.ts';
import { armName, metricName } from '../charts/names.ts';
import { text } from '../charts/text.ts';
import { narrowingLine } from './narrowing-line.ts';

/** What each pair comes to so far, with its interval, and how that narrows; null while there is none. */
export function narrowingView({ narrowing }: RunStatus): HTMLElement | null {
  if (narrowing === null) return null;
  const { metric, pairs, halfWidthsPercent, precisionPercent } = narrowing;
  const [first = 0] = halfWidthsPercent;
  const last = halfWidthsPercent.at(-1) ?? first;
  const goal = precisionPercent === null ? '' : ` ${text('popupGoal', barePercent(precisionPercent))}`;
  return element(
    'div',
    {},
    dataTable(
      text('popupSaved', metricName(metric)),
      [{ header: text('columnPair') }, { header: text('columnReduction'), numeric: true }],
      pairs.map(({ baseline, variant, low, high }) => [
        text('gainsLabel', armName(variant), armName(baseline)),
        `${signedPercent(low)} – ${signedPercent(high)}`,
      ]),
    ),
    narrowingLine(halfWidthsPercent, precisionPercent),
    element('p', { class: 'caption' }, text('popupNarrowing', barePercent(first), barePercent(last)) + goal),
  );
}
