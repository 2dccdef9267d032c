import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { readJsonLines } from '../../../../native-host/comparison/json-lines.ts';

async function all(values: AsyncGenerator): Promise<unknown[]> {
  const read: unknown[] = [];
  for await (const value of values) read.push(value);
  return read;
}

test('gives the values of a stream, line by line', async () => {
  const stream = new PassThrough();
  stream.write('{"a":1}\n\n[2');
  stream.end(']\n"last"');
  expect(await all(readJsonLines(stream))).toEqual([{ a: 1 }, [2], 'last']);
});

test('a stream that has ended before the first value is asked for ends', async () => {
  const stream = new PassThrough();
  const values = readJsonLines(stream);
  stream.end('1\n');
  await finished(stream);
  expect(await all(values)).toEqual([1]);
});

test('a line that is no JSON is an error', async () => {
  const stream = new PassThrough();
  stream.end('{"a":\n');
  await expect(all(readJsonLines(stream))).rejects.toThrow(SyntaxError);
});
