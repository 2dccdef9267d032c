import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fixtureFrames, fixtureKeys } from '../../../support/frames.ts';
import { cutAtEveryLength, fuzzedParsers, spoilSamples } from '../../../support/fuzz/fuzz-parser.ts';
import { fuzzWire, type FuzzSource } from '../../../support/fuzz/fuzz-wire.ts';

// script/bench fuzz does the same for as long as one likes.

const sources: FuzzSource[] = (['h1', 'h2', 'h3'] as const).map((arm) => ({
  frames: fixtureFrames(arm),
  keys: fixtureKeys(arm),
  file: readFileSync(`tests/fixtures/wire/page-load-${arm}.pcap`),
}));

it('takes spoilt frames, files and keys without an exception, and gives a valid record of them', () => {
  const { inputs, spoilt } = fuzzWire(sources, 20_000, 1);
  expect(inputs).toBeGreaterThanOrEqual(20_000);
  expect(spoilt).toBeGreaterThan(2000);
});

it.each(fuzzedParsers.map((parser) => [parser.name, parser] as const))(
  '%s: takes spoilt bytes without an exception, and makes no more of them than there were',
  (_name, parser) => {
    expect(cutAtEveryLength(parser, 1, 3000)).toBeGreaterThan(0);
    expect(() => {
      spoilSamples(parser, 2000, 2);
    }).not.toThrow();
  },
);
