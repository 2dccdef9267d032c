import type { ActiveElement, Chart } from 'chart.js';

/** Left and right arrows walk over the chart's points; each is shown as by a mouse, and spoken. */
export function stepThroughPoints(chart: Chart, canvas: HTMLCanvasElement, spoken: HTMLElement): void {
  let place = -1;

  function show(active: ActiveElement[]): void {
    chart.setActiveElements(active);
    const [first] = active;
    chart.tooltip?.setActiveElements(active, first?.element.tooltipPosition(true) ?? { x: 0, y: 0 });
    chart.update('none');
    spoken.textContent = first
      ? [...(chart.tooltip?.title ?? []), ...(chart.tooltip?.body.flatMap((part) => part.lines) ?? [])].join(
          ', ',
        )
      : '';
  }

  canvas.addEventListener('keydown', (event) => {
    const points = chart
      .getSortedVisibleDatasetMetas()
      .flatMap(({ index: datasetIndex, data }) =>
        data.map((element, index) => ({ datasetIndex, index, element })),
      );
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined || points.length === 0) return;
    event.preventDefault();
    place = (place + step + points.length) % points.length;
    const point = points[place];
    if (point) show([point]);
  });
  canvas.addEventListener('blur', () => {
    place = -1;
    show([]);
  });
}
