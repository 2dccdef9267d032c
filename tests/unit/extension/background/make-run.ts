import type { TrackedRun } from '../../../../shared/messages/extension-messages.ts';
import type { RunStatus } from '../../../../shared/messages/run-status.ts';

/** SYNTHETIC: a run in the middle, other fields where given. */
export function makeStatus(overrides: Partial<RunStatus> = {}): RunStatus {
  return {
    runId: 'run-1',
    url: 'https://synthetic.example/',
    arms: ['h1', 'h2', 'h3'],
    startedAt: '2026-01-01T00:00:00.000Z',
    state: 'running',
    activity: 'Loading over HTTP/2.',
    trialsDone: 7,
    trialsPlanned: 15,
    trialsValid: 7,
    currentArm: 'h2',
    remainingMs: 40_000,
    medians: [],
    narrowing: null,
    error: null,
    ...overrides,
  };
}

export function makeRun(status: Partial<RunStatus> = {}, rest: Partial<TrackedRun> = {}): TrackedRun {
  return { status: makeStatus(status), recordId: null, fetchError: null, ...rest };
}
