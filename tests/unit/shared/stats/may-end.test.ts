import { describe, expect, it } from 'vitest';
import type { Arm } from '../../../../shared/record/arm.ts';
import { mayEnd } from '../../../../shared/stats/may-end.ts';
import { planStopping } from '../../../../shared/stats/stopping-rule.ts';
import { summarise } from '../../../../shared/stats/summarise.ts';
import { makeDesign } from '../../../fixtures/record/make-record.ts';
import { simulatedTrials } from '../../../support/simulated-trials.ts';

const arms: Arm[] = ['h1', 'h2'];
const plan = planStopping(3, 40, 1);
const look = plan.looks[0]?.blocks ?? NaN;
const design = makeDesign({ arms, rounds: 40, stopping: plan });

/** So many blocks; h2 saves 25 %, give or take `noise` ms in 200. */
function trialsOf(blocks: number, noise: number) {
  return simulatedTrials(
    arms,
    Array.from({ length: blocks }, (_, i) => [200 + noise * Math.sin(i), 150 + noise * Math.cos(i)]),
  );
}

describe('mayEnd', () => {
  it('ends a run at a planned look when the intervals are narrow enough, and only there', () => {
    expect(mayEnd(design, trialsOf(look, 1), arms)).toBe(true);
    expect(mayEnd(design, trialsOf(look, 40), arms)).toBe(false);
    expect(mayEnd(design, trialsOf(look - 1, 1), arms)).toBe(false);
    expect(mayEnd(design, trialsOf(look + 1, 1), arms)).toBe(false);
  });

  it('ends on intervals that the record will then have', () => {
    const trials = trialsOf(look, 1);
    const { confidence, pairs } = summarise(trials, design);
    expect(confidence).toBe(plan.looks[0]?.confidence);
    const { low, high } = pairs.find(({ metric }) => metric === 'loadTimeMs')?.reductionPercent ?? {};
    expect(((high ?? NaN) - (low ?? NaN)) / 2).toBeLessThanOrEqual(3);
  });

  it('never ends a run without a plan', () => {
    expect(mayEnd(makeDesign({ arms, rounds: 40 }), trialsOf(look, 1), arms)).toBe(false);
  });

  it('does not wait for an arm that was given up', () => {
    const failed = trialsOf(look, 1).map((trial) =>
      trial.arm === 'h2' ? { ...trial, verdict: { ...trial.verdict, valid: false, reasons: ['x'] } } : trial,
    );
    expect(mayEnd(design, failed, arms)).toBe(false);
    expect(mayEnd(design, failed, ['h1'])).toBe(true);
  });
});
