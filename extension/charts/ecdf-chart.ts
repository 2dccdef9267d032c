import type { Arm } from '../../shared/record/arm.ts';
import type { ComparisonRecord } from '../../shared/record/record.ts';
import type { Metric } from '../../shared/record/statistics.ts';
import { ecdf } from '../../shared/stats/ecdf.ts';
import { armLabel } from './arm-label.ts';
import { chartFigure } from './chart-figure.ts';
import { axis, baseOptions, legendStyle, tooltipStyle } from './chart-options.ts';
import { dataTable } from './data-table.ts';
import { bareMs, formatMs, formatShare } from './format.ts';
import { armName, metricName } from './names.ts';
import { pointStyles } from './palette.ts';
import { text } from './text.ts';
import { countedValues } from './trial-metric.ts';

/** One staircase: an arm's times, ms. `dashed` tells the second of two comparisons from the first. */
export interface EcdfCurve {
  arm: Arm;
  label: string;
  values: readonly number[];
  dashed: boolean;
}

/** The share of an arm's page loads that took at most so long, as a staircase per arm. */
export function ecdfChart(record: ComparisonRecord, metric: Metric): HTMLElement | null {
  return ecdfCurves(
    metric,
    record.design.arms.map((arm) => ({
      arm,
      label: armName(arm),
      values: countedValues(record, arm, metric),
      dashed: false,
    })),
  );
}

/** The same for any arms of any comparisons. Null when none has a value. */
export function ecdfCurves(metric: Metric, given: readonly EcdfCurve[]): HTMLElement | null {
  const curves = given.map((curve) => ({ ...curve, steps: ecdf(curve.values) }));
  if (curves.every(({ steps }) => steps.length === 0)) return null;

  return chartFigure<'line'>({
    title: text('ecdfTitle', metricName(metric)),
    caption: text('ecdfCaption'),
    heightPx: 300,
    fileName: `towline-ecdf-${metric}`,
    configure: (palette) => ({
      type: 'line',
      data: {
        datasets: curves.map(({ arm, label, steps, dashed }) => ({
          label,
          // A staircase starts on the floor, under its first step.
          data: [
            ...(steps[0] ? [{ x: steps[0].value, y: 0 }] : []),
            ...steps.map(({ value, share }) => ({ x: value, y: share * 100 })),
          ],
          stepped: 'before' as const,
          borderColor: palette.arms[arm],
          // Hollow marks go with the dashes, and tell the two apart in the legend too.
          backgroundColor: dashed ? palette.surface : palette.arms[arm],
          borderWidth: 2,
          borderDash: dashed ? [6, 4] : [],
          pointStyle: pointStyles[arm],
          radius: 3,
          hoverRadius: 6,
        })),
      },
      options: {
        ...baseOptions,
        parsing: false,
        scales: {
          x: { ...axis(palette, text('axisMs', metricName(metric))), type: 'linear' },
          y: { ...axis(palette, text('axisShare')), min: 0, max: 100 },
        },
        plugins: {
          legend: legendStyle(palette),
          tooltip: {
            ...tooltipStyle(palette),
            callbacks: {
              title: () => [],
              label: ({ dataset, parsed }) =>
                text(
                  'ecdfPoint',
                  dataset.label ?? '',
                  formatShare((parsed.y ?? 0) / 100),
                  formatMs(parsed.x),
                ),
            },
          },
        },
      },
    }),
    table: dataTable(
      text('ecdfTitle', metricName(metric)),
      [
        { header: text('columnArm') },
        ...deciles.map((share) => ({ header: `${share * 100} %`, numeric: true })),
      ],
      curves.map(({ arm, label, steps }) => [
        armLabel(arm, label),
        ...deciles.map((share) => bareMs(steps.find((step) => step.share >= share - 1e-9)?.value ?? null)),
      ]),
    ),
  });
}

const deciles = [0.1, 0.25, 0.5, 0.75, 0.9, 1];
