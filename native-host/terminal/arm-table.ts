import type { Colors } from 'picocolors/types';
import { armNames, metricNames } from '../../shared/record/names.ts';
import type { ArmSummary, Metric } from '../../shared/record/statistics.ts';
import { firstThatFits } from './first-that-fits.ts';
import { plainTable } from './plain-table.ts';

const shown = ['loadTimeMs', 'timeOnWireMs', 'setupMs'] as const satisfies readonly Metric[];

/** One row per arm: how many trials were valid, then the median and the 10th to 90th percentile of each figure. */
export function armTable(arms: readonly ArmSummary[], colors: Colors, width: number): string {
  return firstThatFits([() => render(arms, colors, true), () => render(arms, colors, false)], width);
}

/** @param wide with the arms' names in full, and more space between the columns */
function render(arms: readonly ArmSummary[], colors: Colors, wide: boolean): string {
  const left = wide ? ['arm', ''] : ['arm'];
  const overFigures = shown.map((metric) => ({
    content: colors.dim(`${metricNames[metric].name}, ms`),
    colSpan: 2,
    hAlign: 'right' as const,
  }));
  const heads = [...left, 'valid', ...shown.flatMap(() => ['median', '10 - 90 %'])].map(colors.dim);
  const digits = new Map(shown.map((metric) => [metric, digitsFor(arms, metric)]));
  const rows = arms.map(({ arm, valid, trials, metrics }) => [
    ...[colors.bold(arm), armNames[arm]].slice(0, left.length),
    `${valid} of ${trials}`,
    ...shown.flatMap((metric) => {
      const sample = metrics[metric] ?? null;
      const text = (ms: number): string => ms.toFixed(digits.get(metric));
      return sample ? [text(sample.median), `${text(sample.p10)} - ${text(sample.p90)}`] : ['-', '-'];
    }),
  ]);
  return plainTable(
    [...left.map(() => 'left' as const), 'right', ...shown.flatMap(() => ['right', 'right'] as const)],
    [[...left.map(() => ''), '', ...overFigures], heads, ...rows],
    wide ? 3 : 2,
  );
}

/** One decimal while all values of a column are below 100 ms. */
function digitsFor(arms: readonly ArmSummary[], metric: Metric): number {
  return Math.max(...arms.map(({ metrics }) => metrics[metric]?.p90 ?? 0)) < 100 ? 1 : 0;
}
