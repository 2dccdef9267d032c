import type { ComparisonRecord } from '../../shared/record/record.ts';
import type { Trial } from '../../shared/record/trial.ts';
import type { Waits } from '../../shared/record/wire.ts';
import { bareMs, formatMs } from './format.ts';
import { waitName, waitOrder } from './names.ts';
import { stackedBarChart } from './stacked-bar-chart.ts';
import { text } from './text.ts';
import { countedTrials } from './trial-metric.ts';

/**
 * Why requests waited, from the packets: each cause summed over the page's requests and averaged over the arm's
 * counted trials. Null where no load's requests could be read from packets.
 */
export function waitsChart(record: ComparisonRecord): HTMLElement | null {
  const { arms } = record.design;
  const waits = new Map(arms.map((arm) => [arm, meanWaits(countedTrials(record, arm))]));
  if ([...waits.values()].every((each) => waitOrder.every((cause) => each[cause] === null))) return null;

  return stackedBarChart({
    title: text('waitsTitle'),
    caption: text('waitsCaption'),
    tableCaption: text('waitsTableCaption'),
    fileName: 'towline-waits',
    axisTitle: text('axisPhases'),
    arms,
    parts: waitOrder.map((cause) => ({
      name: waitName(cause),
      color: (palette) => palette.waits[cause],
      value: (arm) => waits.get(arm)?.[cause] ?? null,
    })),
    say: formatMs,
    tell: bareMs,
  });
}

/** Per cause: the sum over a trial's page requests, averaged over the trials that know it; null where none does. */
function meanWaits(trials: readonly Trial[]): Waits {
  const mean = (cause: keyof Waits): number | null => {
    const sums = trials.flatMap(({ wire }) => {
      const known = (wire?.requests ?? [])
        .filter((request) => request.page)
        .flatMap(({ waits }) => waits[cause] ?? []);
      return known.length === 0 ? [] : [known.reduce((sum, ms) => sum + ms, 0)];
    });
    return sums.length === 0 ? null : sums.reduce((sum, ms) => sum + ms, 0) / sums.length;
  };
  return {
    connectionMs: mean('connectionMs'),
    browserMs: mean('browserMs'),
    serverMs: mean('serverMs'),
    behindStreamsMs: mean('behindStreamsMs'),
    otherLossMs: mean('otherLossMs'),
    ownLossMs: mean('ownLossMs'),
  };
}
