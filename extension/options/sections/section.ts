import { element, type Child } from '../../charts/element.ts';

/** A part of a page under its heading; null when there is nothing to show. */
export function section(title: string, ...children: (Child | false)[]): HTMLElement | null {
  const shown = children.filter((child) => child !== null && child !== false);
  return shown.length === 0 ? null : element('section', {}, element('h2', {}, title), ...shown);
}

/** A quiet list of facts. */
export function facts(entries: readonly (readonly [term: string, fact: string | null])[]): HTMLElement {
  return element(
    'dl',
    { class: 'facts' },
    ...entries.flatMap(([term, fact]) =>
      fact === null ? [] : [element('div', {}, element('dt', {}, term), element('dd', {}, fact))],
    ),
  );
}

export function sentences(title: string, lines: readonly string[]): HTMLElement | null {
  if (lines.length === 0) return null;
  return element(
    'div',
    { class: 'sentences' },
    element('h3', {}, title),
    element('ul', {}, ...lines.map((line) => element('li', {}, line))),
  );
}
