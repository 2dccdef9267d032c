import { stripVTControlCharacters } from 'node:util';

/** The first of several renderings, richest first, whose lines all fit the width; the last if none does. */
export function firstThatFits(renderings: readonly (() => string)[], width: number): string {
  let text = '';
  for (const render of renderings) {
    text = render();
    if (
      stripVTControlCharacters(text)
        .split('\n')
        .every((line) => line.length <= width)
    )
      break;
  }
  return text;
}
