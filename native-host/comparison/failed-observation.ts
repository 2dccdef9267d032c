import type { ErrorReport } from '../../shared/errors/towline-error.ts';
import type { TrialObservation } from './trial-observation.ts';

/** The observation of a trial whose own process failed: nothing was seen, and why. */
export function failedObservation(error: ErrorReport): TrialObservation {
  return {
    startedAt: new Date().toISOString(),
    browserVersion: null,
    navigation: null,
    resources: [],
    altSvc: {},
    wire: null,
    wireMissing: error.message,
    capture: null,
    cpuIdleRatio: null,
    cost: { browserStartMs: 0, loadMs: 0, quietMs: 0, analysisMs: 0 },
    error,
  };
}
