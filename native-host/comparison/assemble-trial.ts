import type { Arm } from '../../shared/record/arm.ts';
import type { Path } from '../../shared/record/path.ts';
import type { Trial } from '../../shared/record/trial.ts';
import { sumPhases } from '../browser/sum-phases.ts';
import { checkTrial, verdictOf } from './check-trial.ts';
import { treatmentOf, type ComparedPage } from './treatment.ts';
import type { TrialObservation } from './trial-observation.ts';

export interface TrialPlace {
  index: number;
  block: number;
  attempt: number;
  arm: Arm;
  warmup: boolean;
}

export interface TrialSetting {
  page: ComparedPage;
  path: Pick<Path, 'asked' | 'measuredBefore'>;
  /** Loaded in the person's own browser. */
  own: boolean;
}

/** What the engine itself spent on a trial, ms. */
export interface EngineCost {
  pathMs: number;
  workerMs: number;
  closeMs: number;
}

/** An observation, judged by every rule that needs no other trial. */
export function assembleTrial(
  place: TrialPlace,
  setting: TrialSetting,
  observation: TrialObservation,
  cost: EngineCost,
): Trial {
  const { arm } = place;
  const { navigation, resources, wire, error } = observation;
  const treatment = treatmentOf(arm, setting.page, resources, wire);
  return {
    ...place,
    startedAt: observation.startedAt,
    verdict: verdictOf(checkTrial({ arm, ...setting, observation, treatment })),
    loadTimeMs: navigation?.loadEventEndMs ?? null,
    navigation,
    resources,
    phases: sumPhases(resources),
    treatment,
    wire,
    wireMissing: observation.wireMissing,
    capture: observation.capture,
    cpuIdleRatio: observation.cpuIdleRatio,
    cost: { ...observation.cost, ...cost },
    error,
  };
}
