import type { Plugin } from 'chart.js';
import type { Arm } from '../../shared/record/arm.ts';
import type { ComparisonRecord } from '../../shared/record/record.ts';
import type { Metric, SampleSummary } from '../../shared/record/statistics.ts';
import { armLabel } from './arm-label.ts';
import { chartFigure } from './chart-figure.ts';
import { axis, baseOptions, chartFont, tooltipStyle } from './chart-options.ts';
import { dataTable } from './data-table.ts';
import { bareMs, formatMs, formatRange, missing } from './format.ts';
import { armName, metricMeaning, metricName } from './names.ts';
import { pointStyles, translucent, type Palette } from './palette.ts';
import { text } from './text.ts';
import { countedValues } from './trial-metric.ts';

interface Row {
  arm: Arm;
  values: number[];
  summary: SampleSummary | null;
}

/** Every counted trial as a mark, one row per arm, over its p10 to p90 and its median. */
export function spreadChart(record: ComparisonRecord, metric: Metric): HTMLElement | null {
  const rows = record.statistics.arms.map(({ arm, metrics }): Row => ({
    arm,
    values: countedValues(record, arm, metric),
    summary: metrics[metric] ?? null,
  }));
  if (rows.every((row) => row.values.length === 0)) return null;

  return chartFigure<'scatter'>({
    title: metricName(metric),
    caption: `${metricMeaning(metric)} ${text('spreadCaption')}`,
    heightPx: 64 + rows.length * 62,
    fileName: `towline-${metric}`,
    configure: (palette) => ({
      type: 'scatter',
      data: {
        datasets: rows.map((row, y) => ({
          label: armName(row.arm),
          data: row.values.map((x, index) => ({ x, y: y + 0.16 + 0.2 * scatterPlace(index) })),
          pointStyle: pointStyles[row.arm],
          radius: 4.5,
          hoverRadius: 6.5,
          backgroundColor: translucent(palette.arms[row.arm], 0.75),
          borderColor: palette.surface,
          borderWidth: 1,
        })),
      },
      options: {
        ...baseOptions,
        scales: {
          x: { ...axis(palette, text('axisMs', metricName(metric))), beginAtZero: true },
          y: {
            ...axis(palette, null),
            grid: { display: false },
            reverse: true,
            min: -0.5,
            max: rows.length - 0.5,
            afterBuildTicks: (scale) => {
              scale.ticks = rows.map((_, value) => ({ value }));
            },
            ticks: {
              color: palette.ink,
              font: { ...chartFont, size: 13 },
              callback: (value) => (rows[Number(value)] ? armName(rows[Number(value)]?.arm ?? 'h1') : ''),
            },
          },
        },
        plugins: {
          legend: { display: false },
          tooltip: {
            ...tooltipStyle(palette),
            callbacks: { label: ({ dataset, parsed }) => `${dataset.label ?? ''}: ${formatMs(parsed.x)}` },
          },
        },
      },
      plugins: [summaryBands(rows, palette)],
    }),
    table: spreadTable(rows, metric),
  });
}

/** Spreads marks of one row over -1..1, so that near values do not hide each other: golden-ratio steps. */
function scatterPlace(index: number): number {
  return (((index + 1) * 0.618033988749895) % 1) * 2 - 1;
}

/** Under the marks: p10 to p90 as a band, the median as a line with its value. */
function summaryBands(rows: readonly Row[], palette: Palette): Plugin<'scatter'> {
  return {
    id: 'summaryBands',
    beforeDatasetsDraw({ ctx, scales: { x, y } }) {
      if (!x || !y) return;
      ctx.save();
      for (const [index, { arm, summary }] of rows.entries()) {
        if (!summary) continue;
        const top = y.getPixelForValue(index - 0.08);
        const bottom = y.getPixelForValue(index + 0.4);
        const left = x.getPixelForValue(summary.p10);
        const right = x.getPixelForValue(summary.p90);
        ctx.fillStyle = translucent(palette.arms[arm], 0.18);
        ctx.beginPath();
        ctx.roundRect(left, top, Math.max(right - left, 2), bottom - top, 4);
        ctx.fill();
        const median = x.getPixelForValue(summary.median);
        ctx.fillStyle = palette.arms[arm];
        ctx.fillRect(median - 1.25, top - 4, 2.5, bottom - top + 8);
        ctx.fillStyle = palette.ink;
        ctx.font = `600 13px ${chartFont.family}`;
        ctx.textAlign = 'center';
        ctx.textBaseline = 'bottom';
        ctx.fillText(formatMs(summary.median), median, top - 5);
      }
      ctx.restore();
    },
  };
}

function spreadTable(rows: readonly Row[], metric: Metric): HTMLTableElement {
  return dataTable(
    text('spreadTableCaption', metricName(metric)),
    [
      { header: text('columnArm') },
      { header: text('columnCount'), numeric: true },
      { header: text('columnMedian'), numeric: true },
      { header: text('columnMean'), numeric: true },
      { header: text('columnP10P90'), numeric: true },
    ],
    rows.map(({ arm, summary }) => [
      armLabel(arm),
      String(summary?.n ?? 0),
      bareMs(summary?.median ?? null),
      bareMs(summary?.mean ?? null),
      summary ? formatRange(summary.p10, summary.p90) : missing,
    ]),
  );
}
