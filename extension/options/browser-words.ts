import { browserNames } from '../../shared/record/names.ts';
import type { Environment } from '../../shared/record/record.ts';

/** A browser in a few words: its name and major version. */
export function browserWords({ name, version }: Environment['browser']): string {
  return `${browserNames[name]} ${version.split('.')[0] ?? ''}`.trimEnd();
}
