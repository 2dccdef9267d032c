import { describe, expect, it } from 'vitest';
import { headline, verdictSentence } from '../../../../extension/charts/verdict-sentence.ts';
import type { Arm } from '../../../../shared/record/arm.ts';
import type { Pair } from '../../../../shared/record/statistics.ts';

type Direction = Pair['verdict']['direction'];

/** A pair as the statistics give it; `saved` is [value, low, high] in percent of time saved by the variant. */
function pair(
  variant: Arm,
  baseline: Arm,
  direction: Direction,
  saved: [number, number, number] | null,
): Pair {
  const [value = 0, low = 0, high = 0] = saved ?? [];
  return {
    metric: 'timeOnWireMs',
    baseline,
    variant,
    blocks: 10,
    gain: null,
    reductionPercent: saved === null ? null : { value, low, high },
    shiftMs: null,
    pValue: null,
    pAdjusted: null,
    cliffsDelta: null,
    verdict: { direction, words: '' },
  };
}

describe('verdictSentence', () => {
  it('says by how much, and how sure', () => {
    expect(verdictSentence(pair('h3', 'h1', 'faster', [12.3, 8.2, 15.1]))).toEqual({
      answer: 'HTTP/3 was 12\u00a0% faster than HTTP/1.1',
      interval: 'between 8.2 and 15\u00a0%',
    });
  });

  it('turns a loss round, smaller end first', () => {
    expect(verdictSentence(pair('h2', 'h1', 'slower', [-20, -31, -11]))).toEqual({
      answer: 'HTTP/2 was 20\u00a0% slower than HTTP/1.1',
      interval: 'between 11 and 31\u00a0%',
    });
  });

  it('calls no difference what is none, with both ends signed', () => {
    expect(verdictSentence(pair('h2', 'h1', 'no-difference-shown', [0.4, -2, 3]))).toEqual({
      answer: 'No difference shown between HTTP/2 and HTTP/1.1',
      interval: 'time saved: between −2 and +3\u00a0%',
    });
  });

  it("falls back to the record's own words where there is no percentage", () => {
    const odd = pair('h2', 'h1', 'faster', null);
    odd.verdict.words = 'h2 faster by 3 ms (2 to 4 ms)';
    expect(verdictSentence(odd).answer).toBe('HTTP/2, HTTP/1.1: h2 faster by 3 ms (2 to 4 ms)');
  });
});

describe('headline', () => {
  const faster = (variant: Arm, baseline: Arm, value = 10): Pair =>
    pair(variant, baseline, 'faster', [value, value - 2, value + 2]);
  const even = (variant: Arm, baseline: Arm): Pair =>
    pair(variant, baseline, 'no-difference-shown', [0, -2, 2]);

  it.each([
    [
      'one that beat all others',
      [faster('h2', 'h1'), faster('h3', 'h1'), faster('h3', 'h2')],
      'HTTP/3 was the fastest',
    ],
    [
      'one that beat all others as a baseline too',
      [
        pair('h2', 'h1', 'slower', [-9, -12, -5]),
        pair('h3', 'h1', 'slower', [-9, -12, -5]),
        even('h3', 'h2'),
      ],
      'HTTP/1.1 was the fastest',
    ],
    [
      'one that all others beat',
      [faster('h2', 'h1'), faster('h3', 'h1'), even('h3', 'h2')],
      'HTTP/1.1 was the slowest',
    ],
    [
      'the strongest pair where there is neither',
      [even('h2', 'h1'), faster('h3', 'h1'), even('h3', 'h2')],
      'HTTP/3 was 10\u00a0% faster than HTTP/1.1',
    ],
    ['two arms by their one answer', [faster('h3', 'h1')], 'HTTP/3 was 10\u00a0% faster than HTTP/1.1'],
    ['no difference', [even('h2', 'h1')], 'No difference shown'],
    ['too little', [pair('h2', 'h1', 'not-enough-data', [3, 0, 0])], 'Not enough data for an answer'],
    ['nothing at all', [], 'Not enough data for an answer'],
  ])('names %s', (_, pairs, line) => {
    expect(headline(pairs, 'timeOnWireMs')).toBe(line);
  });

  it('listens to its own metric alone', () => {
    expect(headline([faster('h3', 'h1')], 'loadTimeMs')).toBe('Not enough data for an answer');
  });
});
