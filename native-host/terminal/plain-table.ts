import Table, { type HorizontalAlignment, type HorizontalTableRow } from 'cli-table3';

const noLines = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
};

/** Rows in aligned columns, a few spaces apart, without rules: calm on a screen, readable in a log. */
export function plainTable(
  alignments: readonly HorizontalAlignment[],
  rows: readonly HorizontalTableRow[],
  spaces = 3,
): string {
  const table = new Table({
    chars: noLines,
    colAligns: [...alignments],
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': spaces, compact: true },
  });
  table.push(...rows);
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
