import type { Palette } from './palette.ts';

export const chartFont = {
  family: 'system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  size: 12,
};

/** An axis of ours: quiet grid, muted numbers, a title with the unit. */
export function axis(palette: Palette, title: string | null) {
  return {
    grid: { color: palette.line, tickColor: 'transparent' },
    border: { color: palette.line },
    ticks: { color: palette.muted, font: chartFont },
    title: { display: title !== null, text: title ?? '', color: palette.muted, font: chartFont },
  };
}

/** What every chart shares: no motion, its box's own shape, room for the last tick's number. */
export const baseOptions = {
  animation: false,
  maintainAspectRatio: false,
  layout: { padding: { top: 4, right: 36, bottom: 0, left: 0 } },
} as const;

/** A tooltip in the page's colours, turned round. */
export function tooltipStyle(palette: Palette) {
  return {
    backgroundColor: palette.ink,
    titleColor: palette.surface,
    bodyColor: palette.surface,
    titleFont: chartFont,
    bodyFont: chartFont,
    padding: 10,
    cornerRadius: 6,
    boxPadding: 4,
  };
}

export function legendStyle(palette: Palette) {
  return {
    position: 'top',
    align: 'start',
    labels: { color: palette.ink, font: chartFont, usePointStyle: true, boxHeight: 8, padding: 16 },
  } as const;
}

/** For bars: a block of their own colour each. */
export function blockLegendStyle(palette: Palette) {
  const legend = legendStyle(palette);
  return { ...legend, labels: { ...legend.labels, usePointStyle: false, boxWidth: 14, boxHeight: 10 } };
}
