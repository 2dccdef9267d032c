import { expect, test } from 'vitest';
import { encodeFrame, maxMessageBytes } from '../../../../native-host/messaging/frame-codec.ts';
import { splitRecord } from '../../../../native-host/messaging/split-record.ts';
import { recordChunkChars } from '../../../../shared/messages/host-protocol.ts';

test.each([
  ['', 3, ['']],
  ['abc', 3, ['abc']],
  ['abcd', 3, ['abc', 'd']],
  // U+1F600 is a surrogate pair: it goes into the next piece as a whole.
  ['ab\u{1f600}c', 3, ['ab', '\u{1f600}c']],
  ['\u{1f600}\u{1f600}', 3, ['\u{1f600}', '\u{1f600}']],
])('%j in pieces of %i', (text, maxChars, pieces) => {
  expect(splitRecord(text, maxChars)).toEqual(pieces);
});

test('the largest piece, of the characters that cost most, fits into a message', () => {
  // Of all that JSON text holds, three bytes of UTF-8 per UTF-16 unit are the most.
  const text = splitRecord('\u20ac'.repeat(2 * recordChunkChars), recordChunkChars)[0];
  const id = 'x'.repeat(64);
  const frame = encodeFrame({ type: 'record-chunk', requestId: id, runId: id, index: 1e6, total: 1e6, text });
  expect(frame.length).toBeLessThan(maxMessageBytes);
});
