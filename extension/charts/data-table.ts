import { button, element, type Child } from './element.ts';

export interface Column {
  header: string;
  /** Numbers stand right, under each other. */
  numeric?: boolean;
  /** Makes the heading a button that sorts; `direction` is how the rows stand now, null by something else. */
  sort?: { direction: 'ascending' | 'descending' | null; onSort: () => void };
}

/** A table with a caption and headed columns; the first cell of a row heads the row. */
export function dataTable(
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly Child[])[],
): HTMLTableElement {
  const className = (index: number): string | null => (columns[index]?.numeric ? 'numeric' : null);
  return element(
    'table',
    {},
    element('caption', {}, caption),
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        ...columns.map(({ header, sort }, index) =>
          element(
            'th',
            { scope: 'col', class: className(index), 'aria-sort': sort?.direction ?? null },
            sort ? button(header, sort.onSort, { class: 'sort' }) : header,
          ),
        ),
      ),
    ),
    element(
      'tbody',
      {},
      ...rows.map((row) =>
        element(
          'tr',
          {},
          ...row.map((cell, index) =>
            index === 0
              ? element('th', { scope: 'row' }, cell)
              : element('td', { class: className(index) }, cell),
          ),
        ),
      ),
    ),
  );
}

/**
 * Lets a wide table scroll inside its own box, by keyboard too. `named`: a heading over it says the same as
 * its caption, which then is left to screen readers.
 */
export function scrolling(table: HTMLTableElement, { named = false } = {}): HTMLElement {
  const label = table.caption?.textContent ?? '';
  if (named) table.caption?.classList.add('visually-hidden');
  return element('div', { class: 'scrolling', tabindex: 0, role: 'region', 'aria-label': label }, table);
}
