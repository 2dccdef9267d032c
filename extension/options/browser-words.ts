import { browserNames } from '../../shared/record/names.ts';
import type { Environment } from '../../shared/record/record.ts';
import { text } from '../charts/text.ts';

/** A browser in a few words: its name and major version, and whether it is the person's own. */
export function browserWords({ name, version, own }: Environment['browser']): string {
  const words = `${browserNames[name]} ${version.split('.')[0] ?? ''}`.trimEnd();
  return own ? text('browserOwn', words) : words;
}
