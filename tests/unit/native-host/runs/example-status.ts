import type { RunStatus } from '../../../../shared/messages/run-status.ts';

/** A run that has just begun. */
export function exampleStatus(runId: string, changes: Partial<RunStatus> = {}): RunStatus {
  return {
    runId,
    url: 'https://example.org/',
    arms: ['h1', 'h2'],
    startedAt: '2026-01-01T00:00:00.000Z',
    state: 'running',
    activity: 'Trial 1 of 4',
    trialsDone: 0,
    trialsPlanned: 4,
    trialsValid: 0,
    currentArm: 'h1',
    remainingMs: null,
    medians: [],
    narrowing: null,
    error: null,
    ...changes,
  };
}
