/**
 * A text in pieces of at most `maxChars` UTF-16 code units that make it again when joined. A surrogate pair is
 * never cut in two: half of one does not survive the way to the browser as UTF-8.
 *
 * @returns one empty piece for an empty text
 */
export function splitRecord(text: string, maxChars: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  do {
    let end = Math.min(start + maxChars, text.length);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--;
    pieces.push(text.slice(start, end));
    start = end;
  } while (start < text.length);
  return pieces;
}

function isHighSurrogate(codeUnit: number): boolean {
  return codeUnit >= 0xd800 && codeUnit <= 0xdbff;
}
