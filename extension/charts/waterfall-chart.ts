import type { Trial } from '../../shared/record/trial.ts';
import { chartFigure } from './chart-figure.ts';
import { axis, baseOptions, blockLegendStyle, chartFont, tooltipStyle } from './chart-options.ts';
import { dataTable } from './data-table.ts';
import { bareMs, formatBytes, formatMs, missing } from './format.ts';
import { translucent } from './palette.ts';
import { phaseName, phaseOrder, protocolName, waitName, waitOrder } from './names.ts';
import { text } from './text.ts';
import { waterfallRows, type WaterfallRow } from './waterfall-rows.ts';

type Span = [number, number];

/** Every request of a trial over time: the browser's phases, and beneath them what the packets say. */
export function waterfallChart(trial: Trial): HTMLElement | null {
  const rows = waterfallRows(trial);
  if (rows.length === 0) return null;
  const onWire = rows.some(({ wire }) => wire !== null);

  return chartFigure<'bar'>({
    title: text('waterfallChartTitle'),
    caption: text(onWire ? 'waterfallCaption' : 'waterfallCaptionNoWire'),
    heightPx: 110 + rows.length * (onWire ? 26 : 18),
    fileName: `towline-waterfall-${trial.arm}-${trial.index}`,
    configure: (palette) => ({
      type: 'bar',
      data: {
        labels: rows.map(({ resource }) => nameOf(resource.url)),
        datasets: [
          ...phaseOrder.map((phase) => ({
            label: phaseName(phase),
            data: rows.map(({ phases }): Span | null => {
              const span = phases.find((each) => each.phase === phase);
              return span ? [span.fromMs, span.toMs] : null;
            }),
            backgroundColor: palette.phases[phase],
            stack: 'browser',
          })),
          ...(onWire
            ? [
                {
                  label: text('waterfallWireWait'),
                  data: rows.map(({ wire }) => span(wire?.requestMs, wire?.firstByteMs)),
                  backgroundColor: translucent(palette.arms[trial.arm], 0.35),
                  stack: 'wire',
                },
                {
                  label: text('waterfallWireReceive'),
                  data: rows.map(({ wire }) => span(wire?.firstByteMs, wire?.lastByteMs)),
                  backgroundColor: palette.arms[trial.arm],
                  stack: 'wire',
                },
              ]
            : []),
        ].map((dataset) => ({
          ...dataset,
          minBarLength: 1,
          borderSkipped: false,
          categoryPercentage: 0.86,
          barPercentage: 0.92,
        })),
      },
      options: {
        ...baseOptions,
        indexAxis: 'y',
        scales: {
          // Spans are absolute: only the rows share their place.
          x: { ...axis(palette, text('axisSinceNavigation')), min: 0, position: 'top', stacked: false },
          y: {
            ...axis(palette, null),
            stacked: true,
            grid: { display: false },
            ticks: { autoSkip: false, color: palette.ink, font: { ...chartFont, size: 11 } },
          },
        },
        plugins: {
          legend: blockLegendStyle(palette),
          tooltip: {
            ...tooltipStyle(palette),
            callbacks: {
              label: ({ dataset, raw }) => {
                const [from, to] = raw as Span;
                return `${dataset.label ?? ''}: ${formatMs(to - from)}`;
              },
              afterLabel: ({ dataset, dataIndex }) =>
                dataset.stack === 'wire' ? waitLines(rows[dataIndex]) : [],
            },
          },
        },
      },
    }),
    table: waterfallTable(rows),
  });
}

/** Null, drawn as nothing, where either end is not known. */
function span(from: number | null | undefined, to: number | null | undefined): Span | null {
  return typeof from === 'number' && typeof to === 'number' ? [from, to] : null;
}

/** The last part of the path, which tells resources of one page apart; the host where there is none. */
function nameOf(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return url.slice(0, 28);
  const last = parsed.pathname.split('/').findLast((part) => part !== '') ?? parsed.host;
  return last.length > 28 ? `${last.slice(0, 27)}…` : last;
}

/** Why the request waited, by its causes that took any time. */
function waitLines(row: WaterfallRow | undefined): string[] {
  const waits = row?.wire?.request.waits;
  return waitOrder.flatMap((cause) => {
    const ms = waits?.[cause] ?? 0;
    return ms >= 0.05 ? [text('waitLine', waitName(cause), formatMs(ms))] : [];
  });
}

function waterfallTable(rows: readonly WaterfallRow[]): HTMLTableElement {
  return dataTable(
    text('waterfallTitle'),
    [
      { header: text('columnRequest') },
      { header: text('columnProtocol') },
      { header: text('columnBytes'), numeric: true },
      { header: text('columnStart'), numeric: true },
      { header: text('columnEnd'), numeric: true },
      { header: text('columnWireRequest'), numeric: true },
      { header: text('columnWireFirst'), numeric: true },
      { header: text('columnWireLast'), numeric: true },
      ...waitOrder.map((cause) => ({ header: text('columnWait', waitName(cause)), numeric: true })),
    ],
    rows.map(({ resource, wire }) => [
      nameOf(resource.url),
      protocolName(resource.protocol) ?? missing,
      formatBytes(resource.transferBytes),
      bareMs(resource.startedAtMs),
      bareMs(resource.endedAtMs),
      bareMs(wire?.requestMs ?? null),
      bareMs(wire?.firstByteMs ?? null),
      bareMs(wire?.lastByteMs ?? null),
      ...waitOrder.map((cause) => bareMs(wire?.request.waits[cause] ?? null)),
    ]),
  );
}
