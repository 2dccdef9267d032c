import { describe, expect, it } from 'vitest';
import { blocksNeeded } from '../../../../shared/stats/blocks-needed.ts';
import { mayStop, plannedConfidence, planStopping } from '../../../../shared/stats/stopping-rule.ts';

describe('planStopping', () => {
  it.each([1, 6, 10, 30, 200])('spends no more than alpha over all looks, %i blocks at most', (maxBlocks) => {
    const { looks } = planStopping(3, maxBlocks, 3);
    const spent = looks.reduce((sum, { confidence }) => sum + (1 - confidence), 0);
    expect(spent).toBeCloseTo(0.05, 12);
    expect(looks.at(-1)?.blocks).toBe(maxBlocks);
    expect(looks.map(({ blocks }) => blocks)).toEqual(
      [...new Set(looks.map(({ blocks }) => blocks))].sort((a, b) => a - b),
    );
  });

  it('looks first where a verdict can be reached, and can reach one at every later look', () => {
    for (const { blocks, confidence } of planStopping(3, 100, 3).looks) {
      expect(blocksNeeded(confidence, 3)).toBeLessThanOrEqual(blocks);
    }
  });
});

describe('plannedConfidence', () => {
  const plan = planStopping(3, 40, 3);
  const [first, second] = plan.looks;

  it('is that of the look come to, and between looks that of the next', () => {
    expect(plannedConfidence(plan, first?.blocks ?? 0)).toBe(first?.confidence);
    expect(plannedConfidence(plan, (first?.blocks ?? 0) + 1)).toBe(second?.confidence);
    expect(plannedConfidence(plan, 0)).toBe(first?.confidence);
    expect(plannedConfidence(plan, 99)).toBe(plan.looks.at(-1)?.confidence);
  });

  it('is 95 % without a plan', () => {
    expect(plannedConfidence(null, 10)).toBe(0.95);
  });
});

describe('mayStop', () => {
  const plan = planStopping(3, 30, 1);
  const [first] = plan.looks;
  const narrow = { value: 10, low: 8, high: 12 };
  const wide = { value: 10, low: 2, high: 18 };

  it('ends at a look when every interval is narrow enough', () => {
    expect(mayStop(plan, first?.blocks ?? 0, [narrow, narrow])).toBe(true);
    expect(mayStop(plan, first?.blocks ?? 0, [narrow, wide])).toBe(false);
    expect(mayStop(plan, first?.blocks ?? 0, [null])).toBe(false);
  });

  it('never ends between looks, however narrow, and always at the last', () => {
    expect(mayStop(plan, (first?.blocks ?? 0) + 1, [narrow])).toBe(false);
    expect(mayStop(plan, 30, [wide])).toBe(true);
  });
});
