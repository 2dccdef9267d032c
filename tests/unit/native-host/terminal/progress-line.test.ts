import { describe, expect, it } from 'vitest';
import { progressLine } from '../../../../native-host/terminal/progress-line.ts';
import type { RunStatus } from '../../../../shared/messages/run-status.ts';

const running: RunStatus = {
  runId: 'run',
  url: 'lab:twitter',
  arms: ['h1', 'h2'],
  startedAt: '2026-01-01T00:00:00.000Z',
  state: 'running',
  activity: 'Loading the page with HTTP/2',
  trialsDone: 6,
  trialsPlanned: 22,
  trialsValid: 6,
  currentArm: 'h2',
  remainingMs: 95_000,
  medians: [
    { arm: 'h1', valid: 3, timeOnWireMs: 2909.4, loadTimeMs: 3276 },
    { arm: 'h2', valid: 3, timeOnWireMs: 2620.1, loadTimeMs: 2984 },
  ],
  narrowing: null,
  error: null,
};

const narrowing: RunStatus['narrowing'] = {
  metric: 'timeOnWireMs',
  confidence: 0.988,
  precisionPercent: 3,
  pairs: [{ baseline: 'h1', variant: 'h2', value: 9.9, low: 5.7, high: 14.1 }],
  halfWidthsPercent: [12.44, 7, 4.2],
};

describe('progressLine', () => {
  it('says which trial, which arm, the result so far and the time left', () => {
    expect(progressLine(running, { width: 120 })).toBe(
      'Trial 7 of 22 | h2 (HTTP/2) | Time on Wire so far: h1 2909 ms, h2 2620 ms | 2 min left',
    );
  });

  it('shows load times where there is no capture', () => {
    const medians = running.medians.map((median) => ({ ...median, timeOnWireMs: null }));
    expect(progressLine({ ...running, medians }, { width: 120 })).toContain(
      'load time so far: h1 3276 ms, h2 2984 ms',
    );
  });

  it.each([120, 60, 40, 20, 5])('is shorter than a terminal of %i columns', (width) => {
    expect(progressLine(running, { width }).length).toBeLessThan(width);
  });

  it('keeps the count longest, then the time left', () => {
    expect(progressLine(running, { width: 60 })).toBe('Trial 7 of 22 | h2 (HTTP/2) | 2 min left');
    expect(progressLine(running, { width: 30 })).toBe('Trial 7 of 22 | 2 min left');
    expect(progressLine(running, { width: 20 })).toBe('Trial 7 of 22');
  });

  it('says how narrow the interval has become, and what is wanted', () => {
    expect(progressLine({ ...running, narrowing }, { width: 160 })).toBe(
      'Trial 7 of 22 | h2 (HTTP/2) | Time on Wire so far: h1 2909 ms, h2 2620 ms | ' +
        'interval ± 12 -> ± 4.2 % (goal ± 3 %) | at most 2 min left',
    );
    expect(progressLine({ ...running, narrowing }, { width: 80 })).toBe(
      'Trial 7 of 22 | interval ± 12 -> ± 4.2 % (goal ± 3 %) | at most 2 min left',
    );
    const unsteered = { ...running, narrowing: { ...narrowing, precisionPercent: null } };
    expect(progressLine(unsteered, { width: 100 })).not.toContain('interval');
    expect(progressLine(unsteered, { width: 160 })).toContain('| interval ± 12 -> ± 4.2 % | 2 min left');
  });

  it('says what goes on before the first trial and after the last', () => {
    const preparing = { ...running, state: 'measuring-path', activity: 'Measuring the path' } as const;
    expect(progressLine(preparing, { width: 80 })).toBe('Measuring the path');
    const done = {
      ...running,
      state: 'complete',
      activity: 'Done',
      trialsDone: 22,
      trialsValid: 21,
    } as const;
    expect(progressLine(done, { width: 80 })).toBe('Done: 21 of 22 trials valid');
  });
});
