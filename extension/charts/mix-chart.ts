import type { Arm } from '../../shared/record/arm.ts';
import type { ComparisonRecord } from '../../shared/record/record.ts';
import { armLabel } from './arm-label.ts';
import { chartFigure } from './chart-figure.ts';
import { axis, baseOptions, blockLegendStyle, chartFont, tooltipStyle } from './chart-options.ts';
import { dataTable } from './data-table.ts';
import { formatCount } from './format.ts';
import { armName, armOfProtocol, protocolName } from './names.ts';
import type { Palette } from './palette.ts';
import { text } from './text.ts';
import { countedTrials } from './trial-metric.ts';

/**
 * Which protocols really carried a load's requests, third parties too: requests per load, mean over each arm's
 * counted trials. Null without any.
 */
export function mixChart(record: ComparisonRecord): HTMLElement | null {
  const rows = record.design.arms.map((arm) => ({ arm, mix: meanMix(record, arm) }));
  const protocols = [...new Set(rows.flatMap(({ mix }) => [...mix.keys()]))].sort();
  if (protocols.length === 0) return null;

  return chartFigure<'bar'>({
    title: text('mixTitle'),
    caption: text('mixCaption'),
    heightPx: 96 + rows.length * 40,
    fileName: 'towline-protocols',
    configure: (palette) => ({
      type: 'bar',
      data: {
        labels: rows.map(({ arm }) => armName(arm)),
        datasets: protocols.map((protocol) => ({
          label: nameOf(protocol),
          data: rows.map(({ mix }) => mix.get(protocol) ?? 0),
          backgroundColor: colorOf(protocol, palette),
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
          x: { ...axis(palette, text('axisRequests')), stacked: true },
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
            callbacks: {
              label: ({ dataset, parsed }) => `${dataset.label ?? ''}: ${formatCount(parsed.x ?? 0)}`,
            },
          },
        },
      },
    }),
    table: dataTable(
      text('mixTitle'),
      [
        { header: text('columnArm') },
        ...protocols.map((protocol) => ({ header: nameOf(protocol), numeric: true })),
      ],
      rows.map(({ arm, mix }) => [
        armLabel(arm),
        ...protocols.map((protocol) => formatCount(mix.get(protocol) ?? 0)),
      ]),
    ),
  });
}

function meanMix(record: ComparisonRecord, arm: Arm): Map<string, number> {
  const trials = countedTrials(record, arm);
  const mix = new Map<string, number>();
  for (const { treatment } of trials) {
    for (const [protocol, requests] of Object.entries(treatment.mix)) {
      mix.set(protocol, (mix.get(protocol) ?? 0) + requests / trials.length);
    }
  }
  return mix;
}

function nameOf(protocol: string): string {
  return protocol === 'unknown' ? text('mixUnknown') : (protocolName(protocol) ?? protocol);
}

function colorOf(protocol: string, palette: Palette): string {
  const arm = armOfProtocol(protocol);
  return arm ? palette.arms[arm] : palette.muted;
}
