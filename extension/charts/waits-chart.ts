import type { Arm } from '../../shared/record/arm.ts';
import type { ComparisonRecord } from '../../shared/record/record.ts';
import type { Trial } from '../../shared/record/trial.ts';
import type { Waits } from '../../shared/record/wire.ts';
import { armLabel } from './arm-label.ts';
import { chartFigure } from './chart-figure.ts';
import { axis, baseOptions, blockLegendStyle, chartFont, tooltipStyle } from './chart-options.ts';
import { dataTable } from './data-table.ts';
import { bareMs, formatMs } from './format.ts';
import { armName, waitName, waitOrder } from './names.ts';
import { text } from './text.ts';
import { countedTrials } from './trial-metric.ts';

interface Row {
  arm: Arm;
  waits: Waits;
}

/**
 * Why requests waited, from the packets: each cause summed over the page's requests and averaged over the arm's
 * counted trials. Null where no load's requests could be read from packets.
 */
export function waitsChart(record: ComparisonRecord): HTMLElement | null {
  const rows = record.design.arms.map((arm): Row => ({ arm, waits: meanWaits(countedTrials(record, arm)) }));
  if (rows.every(({ waits }) => waitOrder.every((cause) => waits[cause] === null))) return null;

  return chartFigure<'bar'>({
    title: text('waitsTitle'),
    caption: text('waitsCaption'),
    heightPx: 96 + rows.length * 46,
    fileName: 'towline-waits',
    configure: (palette) => ({
      type: 'bar',
      data: {
        labels: rows.map(({ arm }) => armName(arm)),
        datasets: waitOrder.map((cause) => ({
          label: waitName(cause),
          data: rows.map(({ waits }) => waits[cause]),
          backgroundColor: palette.waits[cause],
          borderColor: palette.surface,
          borderWidth: { left: 0, right: 1, top: 0, bottom: 0 },
          borderSkipped: false,
          barPercentage: 0.72,
        })),
      },
      options: {
        ...baseOptions,
        indexAxis: 'y',
        scales: {
          x: { ...axis(palette, text('axisPhases')), stacked: true },
          y: {
            ...axis(palette, null),
            stacked: true,
            grid: { display: false },
            ticks: { color: palette.ink, font: { ...chartFont, size: 13 } },
          },
        },
        plugins: {
          legend: blockLegendStyle(palette),
          tooltip: {
            ...tooltipStyle(palette),
            callbacks: { label: ({ dataset, parsed }) => `${dataset.label ?? ''}: ${formatMs(parsed.x)}` },
          },
        },
      },
    }),
    table: dataTable(
      text('waitsTableCaption'),
      [
        { header: text('columnArm') },
        ...waitOrder.map((cause) => ({ header: waitName(cause), numeric: true })),
      ],
      rows.map(({ arm, waits }) => [armLabel(arm), ...waitOrder.map((cause) => bareMs(waits[cause]))]),
    ),
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
