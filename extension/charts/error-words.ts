import messages from '../_locales/en/messages.json';
import type { ErrorCode } from '../../shared/errors/error-codes.ts';
import type { ErrorReport } from '../../shared/errors/towline-error.ts';
import { retell } from './retell.ts';
import { text, type MessageKey } from './text.ts';

/**
 * An error in the person's language: its own sentence where the catalogue knows that, else what its code says in
 * general, with the sentence as it came. A sentence and a command that nobody translated stay as they are.
 */
export function errorWords({
  code,
  message,
  remedy,
}: Pick<ErrorReport, 'code' | 'message' | 'remedy'>): Pick<ErrorReport, 'message' | 'remedy'> {
  return { message: inWords(code, message), remedy: remedy === null ? null : retell(remedy) };
}

function inWords(code: ErrorCode, message: string): string {
  const told = retell(message);
  const general = generalKey(code);
  if (told !== message || general === null || text('language') === 'en') return told;
  return text('errorVerbatim', text(general), message);
}

/** The message that says in general what a code means; null where the catalogue has none. */
export function generalKey(code: ErrorCode): MessageKey | null {
  const key = `error${code.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
  return Object.hasOwn(messages, key) ? (key as MessageKey) : null;
}
