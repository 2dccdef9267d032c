import type { Arm } from '../record/arm.ts';
import type { Estimate, Pair } from '../record/statistics.ts';

/** What a verdict on one pair rests on. */
export interface Evidence {
  variant: Arm;
  blocks: number;
  /** Blocks below which no difference could be shown. */
  blocksNeeded: number;
  /** Above 0 the variant is faster; null where a ratio says nothing. */
  reductionPercent: Estimate | null;
  /** Above 0 the variant is slower. */
  shiftMs: Estimate | null;
  pAdjusted: number | null;
  /** Friedman's p-value over all arms; null where it was not made. */
  overallPValue: number | null;
  /** Level of the tests: 0.05 at 95 % confidence. */
  alpha: number;
}

/**
 * The answer in a word and in a sentence. A direction is claimed only where everything agrees: the interval
 * leaves 0 out, the paired shift points the same way, the signed-rank test is below alpha after Holm, and, with
 * more than two arms, Friedman's test is too. Holm alone holds false calls at alpha; the rest can only make
 * them rarer.
 */
export function verdictOf(evidence: Evidence): Pair['verdict'] {
  const { variant, blocks, shiftMs } = evidence;
  const saved = evidence.reductionPercent ?? negated(shiftMs);
  const unit = evidence.reductionPercent ? '%' : 'ms';
  const [value, low, high] = [saved?.value ?? null, saved?.low ?? null, saved?.high ?? null];
  if (blocks < evidence.blocksNeeded || !shiftMs || value === null || low === null || high === null) {
    return {
      direction: 'not-enough-data',
      words: `not enough data (${counted(blocks)}; ${evidence.blocksNeeded} are needed)`,
    };
  }
  const excludesZero = low > 0 || high < 0;
  if (excludesZero && Math.sign(shiftMs.value) === -Math.sign(value) && beyondChance(evidence)) {
    const direction = value > 0 ? 'faster' : 'slower';
    const ends = [Math.abs(low), Math.abs(high)].sort((a, b) => a - b);
    const [size, from, to] = rounded([Math.abs(value), ...ends], Math.min(...ends));
    return { direction, words: `${variant} ${direction} by ${size} ${unit} (${from} to ${to} ${unit})` };
  }
  const [from, to] = rounded([low, high], Math.max(Math.abs(low), Math.abs(high))).map(withSign);
  const aside = excludesZero ? ', may be chance' : '';
  return {
    direction: 'no-difference-shown',
    words: `no difference shown (${from} to ${to} ${unit}${aside})`,
  };
}

function beyondChance({ pAdjusted, overallPValue, alpha }: Evidence): boolean {
  return pAdjusted !== null && pAdjusted < alpha && (overallPValue === null || overallPValue < alpha);
}

function negated(estimate: Estimate | null): Estimate | null {
  if (!estimate) return null;
  const turned = (end: number | null): number | null => (end === null ? null : -end);
  return { value: -estimate.value, low: turned(estimate.high), high: turned(estimate.low) };
}

function counted(blocks: number): string {
  return `${blocks} ${blocks === 1 ? 'block' : 'blocks'}`;
}

/** Whole numbers from 2 on, else as many decimals as the deciding value needs not to be rounded away. */
function rounded(values: readonly number[], deciding: number): string[] {
  const digits = deciding >= 2 ? 0 : deciding >= 0.1 ? 1 : 2;
  return values.map((value) => value.toFixed(digits));
}

function withSign(text: string): string {
  if (Number(text) === 0) return '0';
  return text.startsWith('-') ? text : `+${text}`;
}
