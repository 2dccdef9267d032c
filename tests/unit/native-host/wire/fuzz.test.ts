import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fixtureFrames, fixtureKeys } from '../../../support/frames.ts';
import { fuzzWire, type FuzzSource } from '../../../support/fuzz-wire.ts';

const sources: FuzzSource[] = (['h1', 'h2', 'h3'] as const).map((arm) => ({
  frames: fixtureFrames(arm),
  keys: fixtureKeys(arm),
  file: readFileSync(`tests/fixtures/wire/page-load-${arm}.pcap`),
}));

// script/bench fuzz does the same for as long as one likes.
it('takes spoilt frames, files and keys without an exception, and gives a valid record of them', () => {
  const { inputs, spoilt } = fuzzWire(sources, 20_000, 1);
  expect(inputs).toBeGreaterThanOrEqual(20_000);
  expect(spoilt).toBeGreaterThan(2000);
});
