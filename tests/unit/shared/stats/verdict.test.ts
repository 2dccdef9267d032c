import { describe, expect, it } from 'vitest';
import { verdictOf, type Evidence } from '../../../../shared/stats/verdict.ts';

/** Everything speaks for h3 being the faster by 12 %. */
const faster: Evidence = {
  variant: 'h3',
  blocks: 10,
  blocksNeeded: 7,
  reductionPercent: { value: 12.2, low: 8.1, high: 15.3 },
  shiftMs: { value: -240, low: -300, high: -160 },
  pAdjusted: 0.006,
  overallPValue: 0.001,
  alpha: 0.05,
};

const words = (evidence: Partial<Evidence>): string => verdictOf({ ...faster, ...evidence }).words;

describe('verdictOf', () => {
  it('says by how much a variant is faster, with the interval', () => {
    expect(verdictOf(faster)).toEqual({ direction: 'faster', words: 'h3 faster by 12 % (8 to 15 %)' });
  });

  it('says by how much it is slower, the smaller end first', () => {
    const slower = {
      reductionPercent: { value: -12.2, low: -15.3, high: -8.1 },
      shiftMs: { value: 240, low: 160, high: 300 },
    };
    expect(verdictOf({ ...faster, ...slower })).toEqual({
      direction: 'slower',
      words: 'h3 slower by 12 % (8 to 15 %)',
    });
  });

  it('shows no difference while the interval holds 0', () => {
    expect(words({ reductionPercent: { value: 1, low: -2.2, high: 3.4 } })).toBe(
      'no difference shown (-2 to +3 %)',
    );
  });

  it.each([
    ['the test after Holm', { pAdjusted: 0.06 }],
    ['Friedman', { overallPValue: 0.2 }],
    ['the paired shift', { shiftMs: { value: 5, low: -10, high: 20 } }],
  ])('claims nothing that %s does not bear out', (_, evidence) => {
    expect(words(evidence)).toBe('no difference shown (+8 to +15 %, may be chance)');
  });

  it('asks for more blocks where a difference could not be shown at all', () => {
    expect(verdictOf({ ...faster, blocks: 3 })).toEqual({
      direction: 'not-enough-data',
      words: 'not enough data (3 blocks; 7 are needed)',
    });
    expect(words({ blocks: 1 })).toBe('not enough data (1 block; 7 are needed)');
  });

  it('does not round a small difference away', () => {
    expect(words({ reductionPercent: { value: 1.04, low: 0.52, high: 1.55 } })).toBe(
      'h3 faster by 1.0 % (0.5 to 1.6 %)',
    );
  });

  it('speaks of ms where a ratio says nothing', () => {
    expect(words({ reductionPercent: null })).toBe('h3 faster by 240 ms (160 to 300 ms)');
  });
});
