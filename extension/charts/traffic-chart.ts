import type { Plugin } from 'chart.js';
import type { Trial } from '../../shared/record/trial.ts';
import type { Traffic } from '../../shared/record/wire.ts';
import { chartFigure } from './chart-figure.ts';
import { axis, baseOptions, chartFont, legendStyle, tooltipStyle } from './chart-options.ts';
import { dataTable } from './data-table.ts';
import { bareMs, formatBytes, formatMs, formatRate } from './format.ts';
import type { Palette } from './palette.ts';
import { text } from './text.ts';

interface Moment {
  atMs: number;
  label: string;
}

/**
 * What went over the wire in each moment of a load, both ways, with its first request and last response. Null
 * where the record holds no packets over time.
 */
export function trafficChart(trial: Trial): HTMLElement | null {
  const traffic = trial.wire?.traffic ?? null;
  if (traffic === null) return null;
  const offsetMs = sinceNavigation(trial);
  const startMs = traffic.fromMs + (offsetMs ?? 0);
  const rate = (bytes: number): number => (bytes * 8) / traffic.binMs / 1000;
  const steps = (bytes: readonly number[]): { x: number; y: number }[] => [
    ...bytes.map((each, bin) => ({ x: startMs + bin * traffic.binMs, y: rate(each) })),
    { x: startMs + bytes.length * traffic.binMs, y: 0 },
  ];

  return chartFigure<'line'>({
    title: text('trafficTitle'),
    caption: text('trafficCaption', String(traffic.binMs)),
    heightPx: 280,
    fileName: `towline-packets-${trial.arm}-${trial.index}`,
    configure: (palette) => ({
      type: 'line',
      data: {
        datasets: [
          {
            label: text('trafficDown'),
            data: steps(traffic.bytesDown),
            color: palette.arms[trial.arm],
            dash: [],
          },
          { label: text('trafficUp'), data: steps(traffic.bytesUp), color: palette.muted, dash: [4, 3] },
        ].map(({ label, data, color, dash }) => ({
          label,
          data,
          stepped: 'before' as const,
          borderColor: color,
          backgroundColor: color,
          borderWidth: 1.5,
          borderDash: dash,
          pointStyle: 'line' as const,
          radius: 0,
          hitRadius: 6,
          hoverRadius: 4,
        })),
      },
      options: {
        ...baseOptions,
        parsing: false,
        interaction: { mode: 'index', intersect: false },
        scales: {
          x: {
            ...axis(palette, text(offsetMs === null ? 'axisSinceFirstPacket' : 'axisSinceNavigation')),
            type: 'linear',
            min: Math.min(0, startMs),
          },
          y: { ...axis(palette, text('axisMegabits')), min: 0 },
        },
        plugins: {
          legend: legendStyle(palette),
          tooltip: {
            ...tooltipStyle(palette),
            callbacks: {
              title: ([item]) => formatMs(item?.parsed.x ?? null),
              label: ({ dataset, dataIndex, datasetIndex, parsed }) => {
                const packets = datasetIndex === 0 ? traffic.packetsDown : traffic.packetsUp;
                return text(
                  'trafficPoint',
                  dataset.label ?? '',
                  formatRate((parsed.y ?? 0) * 1_000_000),
                  String(packets[dataIndex] ?? 0),
                );
              },
            },
          },
        },
      },
      plugins: [marks(momentsOf(trial, offsetMs ?? 0), palette)],
    }),
    table: trafficTable(traffic, startMs),
  });
}

/** What to add to a time on the wire to have it since the navigation's start, ms; null without a navigation. */
function sinceNavigation({ navigation, wire }: Trial): number | null {
  const epochMs = wire?.epochMs ?? null;
  return navigation === null || epochMs === null ? null : epochMs - navigation.timeOriginEpochMs;
}

function momentsOf({ wire }: Trial, offsetMs: number): Moment[] {
  return [
    { atMs: wire?.firstRequestAtMs.value ?? null, label: text('trafficFirstRequest') },
    { atMs: wire?.lastResponseAtMs.value ?? null, label: text('trafficLastResponse') },
  ].flatMap(({ atMs, label }) => (atMs === null ? [] : [{ atMs: atMs + offsetMs, label }]));
}

/** Lines where the Time on Wire begins and ends. */
function marks(moments: readonly Moment[], palette: Palette): Plugin<'line'> {
  return {
    id: 'moments',
    beforeDatasetsDraw({ ctx, chartArea, scales: { x } }) {
      if (!x) return;
      ctx.save();
      ctx.strokeStyle = palette.ink;
      ctx.fillStyle = palette.ink;
      ctx.font = `11px ${chartFont.family}`;
      ctx.textBaseline = 'top';
      ctx.setLineDash([2, 3]);
      for (const { atMs, label } of moments) {
        const place = Math.round(x.getPixelForValue(atMs)) + 0.5;
        const onRight = place < (chartArea.left + chartArea.right) / 2;
        ctx.textAlign = onRight ? 'left' : 'right';
        ctx.beginPath();
        ctx.moveTo(place, chartArea.top);
        ctx.lineTo(place, chartArea.bottom);
        ctx.stroke();
        ctx.fillText(label, place + (onRight ? 4 : -4), chartArea.top + 2);
      }
      ctx.restore();
    },
  };
}

function trafficTable(traffic: Traffic, startMs: number): HTMLTableElement {
  const count = (counts: readonly number[], bin: number): string => String(counts[bin] ?? 0);
  return dataTable(
    text('trafficTitle'),
    [
      { header: text('columnFrom'), numeric: true },
      { header: text('columnBytesDown'), numeric: true },
      { header: text('columnBytesUp'), numeric: true },
      { header: text('columnPacketsDown'), numeric: true },
      { header: text('columnPacketsUp'), numeric: true },
    ],
    traffic.bytesDown.map((bytesDown, bin) => [
      bareMs(startMs + bin * traffic.binMs),
      formatBytes(bytesDown),
      formatBytes(traffic.bytesUp[bin] ?? 0),
      count(traffic.packetsDown, bin),
      count(traffic.packetsUp, bin),
    ]),
  );
}
