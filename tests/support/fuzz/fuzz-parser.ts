import { seededGenerator } from '../../../shared/stats/seeded-generator.ts';
import { captureParsers } from './capture-parsers.ts';
import { encryptedParsers } from './encrypted-parsers.ts';
import { httpParsers } from './http-parsers.ts';
import type { FuzzedParser } from './parser.ts';
import { below, spoilt } from './spoilt.ts';

/** Every parser of the wire engine by itself. */
export const fuzzedParsers: readonly FuzzedParser[] = [
  ...captureParsers,
  ...encryptedParsers,
  ...httpParsers,
];

/** Longest sample that is cut at every length. */
const mostCuts = 2000;

/**
 * Gives a parser its samples cut at every length.
 *
 * @param most inputs; the samples are then taken from the first on
 * @returns how many inputs that were
 * @throws what the parser throws, and when something does not hold that must
 */
export function cutAtEveryLength(parser: FuzzedParser, seed: number, most = Infinity): number {
  const random = seededGenerator(seed);
  let inputs = 0;
  for (const sample of parser.samples) {
    const cuts = Math.min(sample.length, mostCuts, most - inputs);
    for (let length = 0; length < cuts; length += 1) parser.feed(sample.subarray(0, length), random);
    inputs += Math.max(0, cuts);
  }
  return inputs;
}

/** Gives a parser so many samples with bytes flipped, lengths that lie, pieces moved or missing. Throws as above. */
export function spoilSamples(parser: FuzzedParser, inputs: number, seed: number): void {
  const random = seededGenerator(seed);
  for (let i = 0; i < inputs; i += 1) {
    const sample = parser.samples[below(random, parser.samples.length)] ?? new Uint8Array(1);
    parser.feed(spoilt(sample.length === 0 ? new Uint8Array(1) : sample, random), random);
  }
}
