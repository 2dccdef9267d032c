const svg = 'http://www.w3.org/2000/svg';
/** Units of the drawing; it is stretched to the popup's width. */
const [width, height] = [100, 32];

/**
 * The widest interval's half-width, block after block, over the line it shall come to. A picture of the sentence
 * that stands with it, so nothing is read out. Null before there are two blocks to join.
 *
 * @param goalPercent percentage points; null where nothing is to be reached
 */
export function narrowingLine(
  halfWidthsPercent: readonly number[],
  goalPercent: number | null,
): SVGSVGElement | null {
  if (halfWidthsPercent.length < 2) return null;
  const most = Math.max(...halfWidthsPercent, goalPercent ?? 0);
  const y = (percent: number): string => (height - (percent / most) * (height - 4) - 2).toFixed(2);
  const step = width / (halfWidthsPercent.length - 1);

  const picture = document.createElementNS(svg, 'svg');
  picture.setAttribute('class', 'narrowing-line');
  picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
  picture.setAttribute('preserveAspectRatio', 'none');
  picture.setAttribute('aria-hidden', 'true');
  if (goalPercent !== null)
    picture.append(line('goal', [`0,${y(goalPercent)}`, `${width},${y(goalPercent)}`]));
  picture.append(
    line(
      'width',
      halfWidthsPercent.map((percent, index) => `${(index * step).toFixed(2)},${y(percent)}`),
    ),
  );
  return picture;
}

function line(kind: string, points: readonly string[]): SVGPolylineElement {
  const made = document.createElementNS(svg, 'polyline');
  made.setAttribute('class', kind);
  made.setAttribute('points', points.join(' '));
  return made;
}
