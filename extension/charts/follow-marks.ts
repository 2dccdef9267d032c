import type { Chart } from 'chart.js';

/** A mark of a chart, as Chart.js counts them. */
export interface Mark {
  datasetIndex: number;
  index: number;
}

/** A click on a mark, or Enter while the arrow keys are at it, goes where it leads: a hash, or null for nowhere. */
export function followMarks(
  chart: Chart,
  canvas: HTMLCanvasElement,
  leadsTo: (mark: Mark) => string | null,
): void {
  const under = (event: Event): Mark[] =>
    chart.getElementsAtEventForMode(event, 'nearest', { intersect: true }, true);
  const hrefOf = ([mark]: readonly Mark[]): string | null => (mark ? leadsTo(mark) : null);
  const go = (href: string | null): void => {
    if (href !== null) location.hash = href;
  };

  canvas.addEventListener('click', (event) => {
    go(hrefOf(under(event)));
  });
  canvas.addEventListener('pointermove', (event) => {
    canvas.style.cursor = hrefOf(under(event)) === null ? '' : 'pointer';
  });
  canvas.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') go(hrefOf(chart.getActiveElements()));
  });
}
