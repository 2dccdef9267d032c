import type { ErrorReport } from '../../shared/errors/towline-error.ts';
import { element } from '../charts/element.ts';
import { errorWords } from '../charts/error-words.ts';

/** What happened, and what to do about it where that is known. */
export function errorParagraphs(error: ErrorReport): HTMLElement[] {
  const { message, remedy } = errorWords(error);
  return [element('p', {}, message), ...(remedy === null ? [] : [element('p', { class: 'remedy' }, remedy)])];
}
