import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { metrics } from '../../../../shared/record/statistics.ts';
import { seededGenerator } from '../../../../shared/stats/seeded-generator.ts';
import { calledOn, compareTwins, drawTwins, recordedRuns } from '../../../support/same-arm.ts';

const file = new URL('../../../fixtures/stats/same-arm.json', import.meta.url);

it('calls a difference between an arm and itself in at most 5 % of 200 comparisons with real noise', () => {
  const runs = recordedRuns(JSON.parse(readFileSync(file, 'utf8')));
  const random = seededGenerator(1);
  const calls = Array.from({ length: 200 }, (_, seed) =>
    calledOn(compareTwins(drawTwins(runs, 8, random), seed, 1000)),
  );
  for (const metric of metrics) {
    expect(calls.filter((figures) => figures.includes(metric)).length).toBeLessThanOrEqual(10);
  }
});
