import { endianness } from 'node:os';
import { expect, test } from 'vitest';
import {
  encodeFrame,
  FrameReader,
  maxMessageBytes,
  maxRequestBytes,
  type Frame,
} from '../../../../native-host/messaging/frame-codec.ts';

function header(bytes: number): Buffer {
  const buffer = Buffer.alloc(4);
  if (endianness() === 'LE') buffer.writeUInt32LE(bytes);
  else buffer.writeUInt32BE(bytes);
  return buffer;
}

function readInPieces(bytes: Buffer, pieceBytes: number): Frame[] {
  const reader = new FrameReader();
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    frames.push(...reader.push(bytes.subarray(at, at + pieceBytes)));
  }
  return frames;
}

const texts = (frames: Frame[]): string[] =>
  frames.map((frame) => (frame.kind === 'message' ? frame.body.toString() : `too large: ${frame.bytes}`));

test.runIf(endianness() === 'LE')('a message has its length in bytes in front, little-endian here', () => {
  // Length 14; then in UTF-8: quote, euro sign, space, f, u with diaeresis, r, space, a, b, c, quote.
  expect(encodeFrame('\u20ac f\u00fcr abc').toString('hex')).toBe('0e00000022e282ac2066c3bc722061626322');
});

test('messages are the same however they were cut', () => {
  const stream = Buffer.concat(['one', { two: '€' }, [3], '', null].map(encodeFrame));
  const whole = ['"one"', '{"two":"€"}', '[3]', '""', 'null'];
  for (let pieceBytes = 1; pieceBytes <= stream.length; pieceBytes++) {
    expect(texts(readInPieces(stream, pieceBytes))).toEqual(whole);
  }
});

test('an empty message is a message', () => {
  expect(texts(readInPieces(Buffer.concat([header(0), encodeFrame(1)]), 3))).toEqual(['', '1']);
});

test('a message that is too large is left out, and the next one read', () => {
  const tooLarge = maxRequestBytes + 1;
  const stream = Buffer.concat([
    encodeFrame('before'),
    header(tooLarge),
    Buffer.alloc(tooLarge, 'x'),
    encodeFrame('after'),
  ]);
  const expected = ['"before"', `too large: ${tooLarge}`, '"after"'];
  expect(texts(readInPieces(stream, stream.length))).toEqual(expected);
  expect(texts(readInPieces(stream, 65_536))).toEqual(expected);
  expect(texts(readInPieces(stream, 9973))).toEqual(expected);
});

test('the largest message is read', () => {
  const body = Buffer.alloc(maxRequestBytes, ' ');
  const [frame] = readInPieces(Buffer.concat([header(maxRequestBytes), body]), 65_536);
  expect(frame).toMatchObject({ kind: 'message' });
});

test('a message too large is told at its header', () => {
  expect(new FrameReader().push(header(0xffffffff))).toEqual([{ kind: 'too-large', bytes: 0xffffffff }]);
});

test('a message the browser would not accept is not made', () => {
  const fitting = 'x'.repeat(maxMessageBytes - 2);
  expect(encodeFrame(fitting)).toHaveLength(maxMessageBytes + 4);
  expect(() => encodeFrame(`${fitting}x`)).toThrow(
    expect.objectContaining({ code: 'message-too-large' }) as Error,
  );
});
