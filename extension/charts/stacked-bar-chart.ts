import type { Arm } from '../../shared/record/arm.ts';
import { armLabel } from './arm-label.ts';
import { chartFigure } from './chart-figure.ts';
import { axis, baseOptions, blockLegendStyle, chartFont, tooltipStyle } from './chart-options.ts';
import { dataTable } from './data-table.ts';
import { armName } from './names.ts';
import type { Palette } from './palette.ts';
import { text } from './text.ts';

/** A part of every bar: one colour, one column of the table. */
export interface BarPart {
  name: string;
  color: (palette: Palette) => string;
  /** Its length in the arm's bar; null where unknown. */
  value: (arm: Arm) => number | null;
}

export interface StackedBarSpec {
  title: string;
  caption: string;
  tableCaption: string;
  /** Name of saved files, without ending. */
  fileName: string;
  /** What the lengths are, with their unit. */
  axisTitle: string;
  /** Where the axis ends; as far as the bars need when left out. */
  most?: number;
  /** Changes what the chart shows: stands under its caption. */
  control?: HTMLElement;
  /** One bar each, from the top. */
  arms: readonly Arm[];
  /** From the left. */
  parts: readonly BarPart[];
  /** A length as the tooltip says it. */
  say: (value: number | null) => string;
  /** A length as the table says it. */
  tell: (value: number | null) => string;
}

/** A bar per arm, made of the same parts in each. */
export function stackedBarChart(spec: StackedBarSpec): HTMLElement {
  const { arms, parts } = spec;
  return chartFigure<'bar'>({
    title: spec.title,
    caption: spec.caption,
    ...(spec.control && { control: spec.control }),
    heightPx: 96 + arms.length * 46,
    fileName: spec.fileName,
    configure: (palette) => ({
      type: 'bar',
      data: {
        labels: arms.map(armName),
        datasets: parts.map(({ name, color, value }) => ({
          label: name,
          data: arms.map(value),
          backgroundColor: color(palette),
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
          x: {
            ...axis(palette, spec.axisTitle),
            stacked: true,
            ...(spec.most !== undefined && { max: spec.most }),
          },
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
            callbacks: { label: ({ dataset, parsed }) => `${dataset.label ?? ''}: ${spec.say(parsed.x)}` },
          },
        },
      },
    }),
    table: dataTable(
      spec.tableCaption,
      [{ header: text('columnArm') }, ...parts.map(({ name }) => ({ header: name, numeric: true }))],
      arms.map((arm) => [armLabel(arm), ...parts.map(({ value }) => spec.tell(value(arm)))]),
    ),
  });
}
