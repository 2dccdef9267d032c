import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  ScatterController,
  Tooltip,
  type ChartConfiguration,
  type ChartType,
  type Plugin,
} from 'chart.js';
import { chartSvg } from './chart-svg.ts';
import { drawNow, drawWhenSeen, forget } from './draw-when-seen.ts';
import { button, element } from './element.ts';
import { followMarks, type Mark } from './follow-marks.ts';
import { currentPalette, type Palette } from './palette.ts';
import { saveFile } from './save-file.ts';
import { stepThroughPoints } from './step-through-points.ts';
import { text } from './text.ts';

Chart.register(
  BarController,
  BarElement,
  CategoryScale,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  ScatterController,
  Tooltip,
);

export interface ChartSpec<Type extends ChartType = ChartType> {
  title: string;
  /** One sentence under the title: how to read it. */
  caption: string;
  /** Changes what the chart shows: stands under the caption. */
  control?: HTMLElement;
  /** Height of the drawing, CSS px. */
  heightPx: number;
  /** Name of saved files, without ending. */
  fileName: string;
  configure: (palette: Palette) => ChartConfiguration<Type>;
  /** The hash that a mark leads to, or null; left out where marks lead nowhere. */
  leadsTo?: (mark: Mark) => string | null;
  /** The same facts as rows, for whoever does not see or trust a drawing. */
  table: HTMLTableElement;
}

/**
 * A chart with its title, a way through it by keyboard, its table, and a button to save it. It takes its room at
 * once, and is drawn when it comes near the window.
 */
export function chartFigure<Type extends ChartType>(spec: ChartSpec<Type>): HTMLElement {
  const palette = currentPalette();
  const canvas = element('canvas', {
    tabindex: 0,
    role: 'img',
    'aria-label': `${spec.title}. ${spec.caption} ${text(spec.leadsTo ? 'chartKeysOpen' : 'chartKeys')}`,
  });
  const box = element('div', { class: 'canvas-box' }, canvas);
  box.style.height = `${spec.heightPx}px`;
  const spoken = element('div', { class: 'visually-hidden', 'aria-live': 'polite' });

  const configure = (): ChartConfiguration<Type> => {
    const config = spec.configure(palette);
    return {
      ...config,
      plugins: [...(config.plugins ?? []), opaqueBackground(palette.surface) as Plugin<Type>],
    };
  };
  drawWhenSeen(canvas, () => {
    const chart = new Chart(canvas, configure()) as unknown as Chart;
    stepThroughPoints(chart, canvas, spoken);
    if (spec.leadsTo) followMarks(chart, canvas, spec.leadsTo);
  });
  canvas.addEventListener('focus', () => {
    drawNow(canvas);
  });

  return element(
    'figure',
    { class: 'chart' },
    element(
      'figcaption',
      {},
      element('h3', {}, spec.title),
      element('p', { class: 'caption' }, spec.caption),
      spec.control ?? null,
    ),
    box,
    spoken,
    element(
      'div',
      { class: 'chart-foot' },
      element(
        'details',
        {},
        element('summary', {}, text('chartTable')),
        element(
          'div',
          { class: 'scrolling', tabindex: 0, role: 'region', 'aria-label': spec.title },
          spec.table,
        ),
      ),
      element(
        'div',
        { class: 'save', role: 'group', 'aria-label': text('chartSave', spec.title) },
        button(
          text('chartSavePng'),
          () => {
            drawNow(canvas);
            canvas.toBlob((blob) => {
              if (blob) saveFile(`${spec.fileName}.png`, blob);
            });
          },
          { class: 'quiet' },
        ),
        button(
          text('chartSaveSvg'),
          () => {
            // Configured anew: a chart keeps what it is given, and draws with it.
            const svg = chartSvg(
              configure() as unknown as ChartConfiguration,
              box.clientWidth,
              box.clientHeight,
            );
            saveFile(`${spec.fileName}.svg`, new Blob([svg], { type: 'image/svg+xml' }));
          },
          { class: 'quiet' },
        ),
      ),
    ),
  );
}

/** Ends the charts inside an element that is about to go: a drawing would go on listening. */
export function endCharts(inside: HTMLElement): void {
  for (const canvas of inside.querySelectorAll('canvas')) {
    forget(canvas);
    Chart.getChart(canvas)?.destroy();
  }
}

/** A saved picture without it is see-through, and black on black in many viewers. */
function opaqueBackground(color: string): Plugin {
  return {
    id: 'opaqueBackground',
    beforeDraw({ ctx, width, height }) {
      ctx.save();
      ctx.fillStyle = color;
      ctx.fillRect(0, 0, width, height);
      ctx.restore();
    },
  };
}
