import { BasicPlatform, Chart, type ChartConfiguration } from 'chart.js';
import { Context } from 'svgcanvas/dist/svgcanvas.esm.js';

/**
 * The chart as an SVG document of this size, CSS px: the same drawing, told to a context that writes SVG in
 * place of a canvas's. Text stays text, so it can be searched and edited.
 */
export function chartSvg(config: ChartConfiguration, widthPx: number, heightPx: number): string {
  const context = new Context({ width: widthPx, height: heightPx });
  const drawing = { width: widthPx, height: heightPx, getContext: () => context };
  const chart = new Chart(drawing as unknown as HTMLCanvasElement, {
    ...config,
    options: {
      ...config.options,
      responsive: false,
      animation: false,
      devicePixelRatio: 1,
      // Lines styled by segment are drawn on the context itself, others as a Path2D, which no SVG can be read from.
      datasets: { line: { segment: {} } },
    },
    // Without it Chart.js looks for a real canvas in the page.
    platform: BasicPlatform,
  });
  try {
    return context.getSerializedSvg();
  } finally {
    chart.destroy();
  }
}
