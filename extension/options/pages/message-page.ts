import { element } from '../../charts/element.ts';
import { text } from '../../charts/text.ts';
import { hashOf } from '../route.ts';

/** A page that only says something, what can be done, and the way back. */
export function messagePage(
  title: string,
  sentences: readonly (string | null)[],
  action: HTMLElement | null = null,
): HTMLElement {
  return element(
    'article',
    { 'data-title': title },
    element('h1', {}, title),
    ...sentences.map((sentence) => (sentence === null ? null : element('p', {}, sentence))),
    action,
    element('p', {}, element('a', { href: hashOf({ page: 'overview' }) }, text('back'))),
  );
}
