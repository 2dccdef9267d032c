import type { Plugin } from 'chart.js';
import type { Metric, PairAnswer } from '../../shared/record/statistics.ts';
import { chartFigure } from './chart-figure.ts';
import { axis, baseOptions, chartFont, legendStyle, tooltipStyle } from './chart-options.ts';
import { dataTable } from './data-table.ts';
import { formatDate, formatDay, missing, signedPercent } from './format.ts';
import { armName, metricName } from './names.ts';
import { pointStyles, translucent, type Palette } from './palette.ts';
import { text } from './text.ts';

/** The answer of one comparison about one pair, and when it was made. */
export interface DatedPair {
  createdAt: string;
  pair: PairAnswer;
}

interface Point extends DatedPair {
  at: number;
  label: string;
  estimate: NonNullable<PairAnswer['reductionPercent']>;
}

/** One page's gains from comparison to comparison. Null with fewer than two moments to draw. */
export function overTimeChart(given: readonly DatedPair[], metric: Metric): HTMLElement | null {
  const points = given
    .flatMap(({ createdAt, pair }): Point[] =>
      pair.reductionPercent
        ? [
            {
              createdAt,
              pair,
              at: Date.parse(createdAt),
              label: text('gainsLabel', armName(pair.variant), armName(pair.baseline)),
              estimate: pair.reductionPercent,
            },
          ]
        : [],
    )
    .sort((a, b) => a.at - b.at);
  if (new Set(points.map(({ at }) => at)).size < 2) return null;
  const labels = [...new Set(points.map(({ label }) => label))];

  return chartFigure<'line'>({
    title: text('overTimeTitle'),
    caption: text('overTimeCaption', metricName(metric)),
    heightPx: 300,
    fileName: 'towline-over-time',
    configure: (palette) => ({
      type: 'line',
      data: {
        datasets: labels.map((label) => {
          const own = points.filter((point) => point.label === label);
          const [first] = own;
          return {
            label,
            data: own.map(({ at, estimate }) => ({ x: at, y: estimate.value })),
            borderColor: colorOf(first, palette),
            backgroundColor: colorOf(first, palette),
            borderWidth: 1.5,
            // Two pairs may share their variant's colour: the baseline's mark tells them apart.
            pointStyle: first ? pointStyles[first.pair.baseline] : 'circle',
            radius: 5,
            hoverRadius: 7,
          };
        }),
      },
      options: {
        ...baseOptions,
        parsing: false,
        scales: {
          x: {
            ...axis(palette, null),
            type: 'linear',
            ticks: {
              color: palette.muted,
              font: chartFont,
              maxTicksLimit: 6,
              callback: (value) => formatDay(Number(value)),
            },
          },
          y: axis(palette, text('axisSaved')),
        },
        plugins: {
          legend: legendStyle(palette),
          tooltip: {
            ...tooltipStyle(palette),
            callbacks: {
              title: ([item]) => (item ? formatDate(new Date(item.parsed.x ?? 0).toISOString()) : ''),
              label: ({ dataset, parsed }) => `${dataset.label ?? ''}: ${signedPercent(parsed.y ?? 0)} %`,
            },
          },
        },
      },
      plugins: [intervals(points, palette)],
    }),
    table: dataTable(
      text('overTimeTitle'),
      [
        { header: text('columnWhen') },
        { header: text('columnPair') },
        { header: text('columnReduction'), numeric: true },
        { header: text('columnInterval'), numeric: true },
      ],
      points.map(({ createdAt, label, estimate }) => [
        formatDate(createdAt),
        label,
        signedPercent(estimate.value),
        estimate.low === null || estimate.high === null
          ? missing
          : text('intervalPlain', signedPercent(estimate.low), signedPercent(estimate.high)),
      ]),
    ),
  });
}

function colorOf(point: Point | undefined, palette: Palette): string {
  return point ? palette.arms[point.pair.variant] : palette.muted;
}

/** The line of no difference, and each point's interval. */
function intervals(points: readonly Point[], palette: Palette): Plugin<'line'> {
  return {
    id: 'intervals',
    beforeDatasetsDraw({ ctx, chartArea, scales: { x, y } }) {
      if (!x || !y) return;
      ctx.save();
      const zero = Math.round(y.getPixelForValue(0)) + 0.5;
      if (zero >= chartArea.top && zero <= chartArea.bottom) {
        ctx.strokeStyle = palette.muted;
        ctx.setLineDash([4, 4]);
        ctx.beginPath();
        ctx.moveTo(chartArea.left, zero);
        ctx.lineTo(chartArea.right, zero);
        ctx.stroke();
        ctx.setLineDash([]);
      }
      ctx.lineWidth = 3;
      for (const point of points) {
        const { low, high } = point.estimate;
        if (low === null || high === null) continue;
        ctx.strokeStyle = translucent(colorOf(point, palette), 0.4);
        ctx.beginPath();
        ctx.moveTo(x.getPixelForValue(point.at), Math.min(y.getPixelForValue(low), chartArea.bottom));
        ctx.lineTo(x.getPixelForValue(point.at), Math.max(y.getPixelForValue(high), chartArea.top));
        ctx.stroke();
      }
      ctx.restore();
    },
  };
}
