import type { Colors } from 'picocolors/types';
import { metricNames } from '../../shared/record/names.ts';
import { metrics, type Estimate, type Pair } from '../../shared/record/statistics.ts';
import { firstThatFits } from './first-that-fits.ts';
import { plainTable } from './plain-table.ts';

interface Column {
  head: string;
  cell: (pair: Pair, colors: Colors) => string;
}

const gain: Column = { head: 'gain', cell: (pair) => withInterval(pair.gain, (value) => value.toFixed(2)) };
const shift: Column = { head: 'shift, ms', cell: (pair) => withInterval(pair.shiftMs, asShift) };
const verdict: Column = {
  head: 'verdict',
  cell: (pair, colors) => verdictColor(pair, colors)(pair.verdict.words),
};

/** The gain of every pair of arms, figure by figure, with the verdict in words; fewer columns where it is narrow. */
export function gainTable(pairs: readonly Pair[], colors: Colors, width: number): string {
  const choices = [[gain, shift, verdict], [gain, verdict], [verdict]];
  return firstThatFits(
    choices.map((columns) => () => render(pairs, colors, columns)),
    width,
  );
}

function render(pairs: readonly Pair[], colors: Colors, columns: readonly Column[]): string {
  const rows = metrics.flatMap((metric, place) => [
    [
      colors.bold(metricNames[metric].name),
      ...columns.map(({ head }) => (place === 0 ? colors.dim(head) : '')),
    ],
    ...pairs
      .filter((pair) => pair.metric === metric)
      .map((pair) => [
        `${pair.variant} over ${pair.baseline}`,
        ...columns.map(({ cell }) => cell(pair, colors)),
      ]),
  ]);
  return plainTable(
    ['', ...columns].map(() => 'left'),
    rows,
  );
}

/** What the columns of {@link gainTable} mean. */
export function gainGloss(pairs: readonly Pair[], confidence: number): string {
  const sentences = [
    'h2 over h1, gain 1.10: the median of h1 is 1.10 times that of h2, so h2 is the faster.',
    'Shift: by how much loads in the same block typically differ.',
  ];
  if (pairs.some((pair) => pair.gain !== null && pair.gain.low !== null)) {
    sentences.push(
      `In brackets: where the true value lies, with ${Number((confidence * 100).toFixed(1))} % confidence.`,
    );
  }
  return sentences.join(' ');
}

function withInterval(estimate: Estimate | null, format: (value: number) => string): string {
  if (estimate === null) return '-';
  const { value, low, high } = estimate;
  return low === null || high === null
    ? format(value)
    : `${format(value)} (${format(low)} to ${format(high)})`;
}

function asShift(ms: number): string {
  const text = ms.toFixed(Math.abs(ms) < 10 ? 1 : 0);
  return ms > 0 && Number(text) !== 0 ? `+${text}` : text;
}

function verdictColor({ verdict: { direction } }: Pair, colors: Colors): (text: string) => string {
  switch (direction) {
    case 'faster':
      return colors.green;
    case 'slower':
      return colors.yellow;
    case 'no-difference-shown':
      return (text) => text;
    case 'not-enough-data':
      return colors.dim;
  }
}
