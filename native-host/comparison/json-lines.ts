import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** One JSON value a line: what parent and child processes of a run say to each other. */
export function writeJsonLine(stream: Writable, value: unknown): void {
  stream.write(`${JSON.stringify(value)}\n`);
}

/** The values a stream gives, as `unknown`: the receiver validates. A line that is no JSON is an error. */
export async function* readJsonLines(stream: Readable): AsyncGenerator {
  for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
    if (line !== '') yield JSON.parse(line) as unknown;
  }
}
