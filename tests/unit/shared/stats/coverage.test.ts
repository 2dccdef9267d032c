import { describe, expect, it } from 'vitest';
import { gainOf } from '../../../../shared/stats/gain.ts';
import { seededGenerator } from '../../../../shared/stats/seeded-generator.ts';
import { simulatedNetworks, simulateRun } from '../../../support/simulated-network.ts';

/** A small, seeded piece of `script/bench statistics`, so that a change that breaks coverage is seen at once. */
describe('the interval of a gain', () => {
  it.each(simulatedNetworks)('covers a known gain in at least 93 of 100 comparisons: $name', (network) => {
    const random = seededGenerator(3);
    const comparisons = 300;
    let covered = 0;
    for (let seed = 0; seed < comparisons; seed++) {
      const rows = simulateRun(network, 9, [1.1, 1], random);
      const baseline = Float64Array.from(rows, ([time = NaN]) => time);
      const variant = Float64Array.from(rows, ([, time = NaN]) => time);
      const { low, high } =
        gainOf({ baseline, variant }, { confidence: 0.95, resamples: 500, seed })?.gain ?? {};
      if ((low ?? Infinity) <= 1.1 && 1.1 <= (high ?? -Infinity)) covered++;
    }
    expect(covered / comparisons).toBeGreaterThanOrEqual(0.93);
  });
});
