import type { Plugin } from 'chart.js';
import type { Arm } from '../../shared/record/arm.ts';
import type { PairAnswer } from '../../shared/record/statistics.ts';
import { chartFigure } from './chart-figure.ts';
import { axis, baseOptions, chartFont, tooltipStyle } from './chart-options.ts';
import { dataTable } from './data-table.ts';
import { element } from './element.ts';
import { missing, signedPercent } from './format.ts';
import { armName } from './names.ts';
import { pointStyles, translucent, type Palette } from './palette.ts';
import { text } from './text.ts';

/** One line of a forest plot: a pair of arms, somewhere. */
export interface ForestRow {
  label: string;
  /** The same for the axis, in lines of which each is cut where there is no room; the label where left out. */
  lines?: readonly string[];
  pair: PairAnswer;
  /** Where a click or Enter on the mark leads: a hash. */
  href?: string;
}

export interface ForestSpec {
  title: string;
  caption: string;
  fileName: string;
  /** What heads the column of labels in the table. */
  labelHeader: string;
  rows: readonly ForestRow[];
}

/** Percent of time saved by each pair's variant with its 95 % interval, against the line of no difference. */
export function forestChart(spec: ForestSpec): HTMLElement | null {
  const rows = spec.rows.flatMap((row) =>
    row.pair.reductionPercent ? [{ ...row, estimate: row.pair.reductionPercent }] : [],
  );
  if (rows.length === 0) return null;
  const arms = [...new Set(rows.map(({ pair }) => pair.variant))];

  return chartFigure<'scatter'>({
    title: spec.title,
    caption: spec.caption,
    heightPx: 84 + rows.length * (rows.some(({ lines }) => (lines?.length ?? 1) > 1) ? 36 : 30),
    fileName: spec.fileName,
    ...(rows.some(({ href }) => href !== undefined) && {
      leadsTo: ({ datasetIndex, index }) =>
        rows.filter(({ pair }) => pair.variant === arms[datasetIndex])[index]?.href ?? null,
    }),
    configure: (palette) => ({
      type: 'scatter',
      data: {
        datasets: arms.map((arm) => ({
          label: armName(arm),
          data: rows.flatMap(({ pair, estimate }, y) =>
            pair.variant === arm ? [{ x: estimate.value, y }] : [],
          ),
          pointStyle: pointStyles[arm],
          radius: 6,
          hoverRadius: 8,
          backgroundColor: palette.arms[arm],
          borderColor: palette.surface,
          borderWidth: 1,
        })),
      },
      options: {
        ...baseOptions,
        scales: {
          x: {
            ...axis(palette, text('axisReduction')),
            ...boundsOf(rows.map(({ estimate }) => estimate)),
            ticks: {
              color: palette.muted,
              font: chartFont,
              callback: (value) => signedPercent(Number(value)),
            },
          },
          y: {
            ...axis(palette, null),
            grid: { display: false },
            reverse: true,
            min: -0.6,
            max: rows.length - 0.4,
            afterBuildTicks: (scale) => {
              scale.ticks = rows.map((_, value) => ({ value }));
            },
            ticks: {
              autoSkip: false,
              color: palette.ink,
              font: chartFont,
              callback(value) {
                const row = rows[Number(value)];
                return (row?.lines ?? [row?.label ?? '']).map((line) => cut(line, this.chart.width));
              },
            },
          },
        },
        plugins: {
          legend: { display: false },
          tooltip: {
            ...tooltipStyle(palette),
            callbacks: { label: ({ parsed }) => describe(rows[parsed.y ?? -1]) },
          },
        },
      },
      plugins: [intervals(rows, palette)],
    }),
    table: dataTable(
      spec.title,
      [
        { header: spec.labelHeader },
        { header: text('columnReduction'), numeric: true },
        { header: text('columnInterval'), numeric: true },
        { header: text('columnBlocks'), numeric: true },
        { header: text('columnP'), numeric: true },
      ],
      rows.map(({ label, pair, estimate, href }) => [
        href === undefined ? label : element('a', { href }, label),
        signedPercent(estimate.value),
        estimate.low === null || estimate.high === null
          ? missing
          : text('intervalPlain', signedPercent(estimate.low), signedPercent(estimate.high)),
        String(pair.blocks),
        pair.pAdjusted === null ? missing : formatP(pair.pAdjusted),
      ]),
    ),
  });
}

type Row = ForestRow & { estimate: NonNullable<PairAnswer['reductionPercent']> };

/** Leaves the axis no more than some 40 % of the chart. */
function cut(line: string, chartWidthPx: number): string {
  const most = Math.max(12, Math.floor((chartWidthPx * 0.4) / (chartFont.size * 0.55)));
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

function describe(row: Row | undefined): string {
  if (!row) return '';
  const { estimate } = row;
  const interval =
    estimate.low === null || estimate.high === null
      ? ''
      : ` (${text('intervalPlain', signedPercent(estimate.low), signedPercent(estimate.high))})`;
  return `${row.label}: ${signedPercent(estimate.value)} %${interval}`;
}

function formatP(p: number): string {
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}

/** Always shows the line of no difference, and some room around the outermost interval. */
function boundsOf(estimates: readonly Row['estimate'][]): { suggestedMin: number; suggestedMax: number } {
  const ends = estimates.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]);
  const [least, most] = [Math.min(-2, ...ends), Math.max(2, ...ends)];
  const room = (most - least) * 0.04;
  return { suggestedMin: least - room, suggestedMax: most + room };
}

function intervals(rows: readonly Row[], palette: Palette): Plugin<'scatter'> {
  return {
    id: 'intervals',
    beforeDatasetsDraw({ ctx, chartArea, scales: { x, y } }) {
      if (!x || !y) return;
      ctx.save();
      const zero = Math.round(x.getPixelForValue(0)) + 0.5;
      ctx.strokeStyle = palette.muted;
      ctx.setLineDash([4, 4]);
      ctx.beginPath();
      ctx.moveTo(zero, chartArea.top);
      ctx.lineTo(zero, chartArea.bottom);
      ctx.stroke();
      ctx.setLineDash([]);
      ctx.lineCap = 'round';
      ctx.lineWidth = 4;
      for (const [index, { pair, estimate }] of rows.entries()) {
        if (estimate.low === null || estimate.high === null) continue;
        const told = pair.verdict.direction === 'faster' || pair.verdict.direction === 'slower';
        ctx.strokeStyle = colorOf(pair.variant, told, palette);
        ctx.beginPath();
        ctx.moveTo(x.getPixelForValue(estimate.low), y.getPixelForValue(index));
        ctx.lineTo(x.getPixelForValue(estimate.high), y.getPixelForValue(index));
        ctx.stroke();
      }
      ctx.restore();
    },
  };
}

/** An interval that shows no difference stands back. */
function colorOf(arm: Arm, told: boolean, palette: Palette): string {
  return translucent(palette.arms[arm], told ? 0.75 : 0.35);
}
