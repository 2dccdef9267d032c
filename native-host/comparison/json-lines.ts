import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** One JSON value a line: what parent and child processes of a run say to each other. */
export function writeJsonLine(stream: Writable, value: unknown): void {
  stream.write(`${JSON.stringify(value)}\n`);
}

/**
 * The values a stream gives, as `unknown`: the receiver validates. A line that is no JSON is an error.
 * Listens from now on, not from the first value asked for: a child that dies before that has its output drained by
 * Node, and a stream that has ended by then would never be seen to end.
 */
export function readJsonLines(stream: Readable): AsyncGenerator {
  return parsed(createInterface({ input: stream, crlfDelay: Infinity })[Symbol.asyncIterator]());
}

async function* parsed(lines: AsyncIterable<string>): AsyncGenerator {
  for await (const line of lines) {
    if (line !== '') yield JSON.parse(line) as unknown;
  }
}
