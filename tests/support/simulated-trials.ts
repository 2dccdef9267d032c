import type { Arm } from '../../shared/record/arm.ts';
import type { Trial } from '../../shared/record/trial.ts';
import { seededGenerator } from '../../shared/stats/seeded-generator.ts';
import { makeTrial } from '../fixtures/record/make-trial.ts';

const template = makeTrial({ index: 0, block: 0, attempt: 0, arm: 'h1', warmup: false }, seededGenerator(1));

/** Valid trials with these load times and nothing from the wire: one row per block, one value per arm. */
export function simulatedTrials(arms: readonly Arm[], loadTimesMs: readonly (readonly number[])[]): Trial[] {
  return loadTimesMs.flatMap((row, block) =>
    row.map((loadTimeMs, place) => ({
      ...template,
      index: block * arms.length + place,
      block,
      arm: arms[place] ?? 'auto',
      loadTimeMs,
      wire: null,
      wireMissing: 'simulated',
    })),
  );
}
