import type { Arm } from '../../shared/record/arm.ts';
import type { ComparisonRecord } from '../../shared/record/record.ts';
import type { Phases } from '../../shared/record/trial.ts';
import { armLabel } from './arm-label.ts';
import { chartFigure } from './chart-figure.ts';
import { axis, baseOptions, blockLegendStyle, chartFont, tooltipStyle } from './chart-options.ts';
import { dataTable } from './data-table.ts';
import { bareMs, formatMs } from './format.ts';
import { armName, phaseName, phaseOrder } from './names.ts';
import { text } from './text.ts';
import { countedTrials } from './trial-metric.ts';

interface Row {
  arm: Arm;
  phases: Phases;
}

/**
 * Time per phase, summed over a page's requests and averaged over the arm's counted trials, as in figures 3
 * and 5 of Elkhatib et al. 2014. Requests overlap, so the bars are longer than the load took.
 */
export function phasesChart(record: ComparisonRecord): HTMLElement | null {
  const rows = record.design.arms.map((arm): Row => ({ arm, phases: meanPhases(record, arm) }));
  if (rows.every(({ phases }) => phaseOrder.every((phase) => phases[phase] === null))) return null;

  return chartFigure<'bar'>({
    title: text('phasesTitle'),
    caption: text('phasesCaption'),
    heightPx: 96 + rows.length * 46,
    fileName: 'towline-phases',
    configure: (palette) => ({
      type: 'bar',
      data: {
        labels: rows.map(({ arm }) => armName(arm)),
        datasets: phaseOrder.map((phase) => ({
          label: phaseName(phase),
          data: rows.map(({ phases }) => phases[phase]),
          backgroundColor: palette.phases[phase],
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
      text('phasesTableCaption'),
      [
        { header: text('columnArm') },
        ...phaseOrder.map((phase) => ({ header: phaseName(phase), numeric: true })),
      ],
      rows.map(({ arm, phases }) => [armLabel(arm), ...phaseOrder.map((phase) => bareMs(phases[phase]))]),
    ),
  });
}

/** Mean over the counted trials that know the phase; null where none does. */
export function meanPhases(record: ComparisonRecord, arm: Arm): Phases {
  const trials = countedTrials(record, arm);
  const mean = (phase: keyof Phases): number | null => {
    const values = trials.map((trial) => trial.phases[phase]).filter((value) => value !== null);
    return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  return {
    blockedMs: mean('blockedMs'),
    dnsMs: mean('dnsMs'),
    connectMs: mean('connectMs'),
    tlsMs: mean('tlsMs'),
    sendMs: mean('sendMs'),
    waitMs: mean('waitMs'),
    receiveMs: mean('receiveMs'),
  };
}
