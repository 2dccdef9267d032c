import type { Arm } from '../../shared/record/arm.ts';
import type { Metric, PairAnswer } from '../../shared/record/statistics.ts';
import { barePercent, formatPercent, signedPercent } from './format.ts';
import { armName } from './names.ts';
import { text } from './text.ts';

/** A pair's answer in words, the interval apart so that it can be set more quietly. */
export interface VerdictSentence {
  answer: string;
  interval: string | null;
}

export function verdictSentence(pair: PairAnswer): VerdictSentence {
  const variant = armName(pair.variant);
  const baseline = armName(pair.baseline);
  const saved = pair.reductionPercent;
  if (saved === null) return { answer: `${variant}, ${baseline}: ${pair.verdict.words}`, interval: null };
  const [low, high] = [saved.low ?? saved.value, saved.high ?? saved.value];
  switch (pair.verdict.direction) {
    case 'faster':
      return {
        answer: text('verdictFaster', variant, formatPercent(saved.value), baseline),
        interval: text('intervalBetween', barePercent(low), formatPercent(high)),
      };
    case 'slower':
      return {
        answer: text('verdictSlower', variant, formatPercent(-saved.value), baseline),
        interval: text('intervalBetween', barePercent(-high), formatPercent(-low)),
      };
    case 'no-difference-shown':
      return {
        answer: text('verdictNoDifference', variant, baseline),
        interval: text('intervalSaved', signedPercent(low), `${signedPercent(high)} %`),
      };
    case 'not-enough-data':
      return {
        answer: text('verdictNotEnough', variant, baseline),
        interval: text('intervalSoFar', `${signedPercent(saved.value)} %`, String(pair.blocks)),
      };
  }
}

/** The whole comparison in one line, for the eye that has five seconds. */
export function headline(pairs: readonly PairAnswer[], metric: Metric): string {
  const ofMetric = pairs.filter((pair) => pair.metric === metric);
  const told = ofMetric.filter((pair) => winnerOf(pair) !== null);
  const strongest = told.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0];
  if (!strongest) {
    const enough = ofMetric.some((pair) => pair.verdict.direction === 'no-difference-shown');
    return text(enough ? 'headlineNoDifference' : 'headlineNotEnough');
  }
  const arms = [...new Set(ofMetric.flatMap((pair) => [pair.baseline, pair.variant]))];
  const beats = (winner: Arm, loser: Arm): boolean =>
    told.some((pair) => winnerOf(pair) === winner && loserOf(pair) === loser);
  const champion = arms.find((arm) => arms.every((other) => other === arm || beats(arm, other)));
  if (champion && arms.length > 2) return text('headlineFastest', armName(champion));
  const laggard = arms.find((arm) => arms.every((other) => other === arm || beats(other, arm)));
  if (laggard && arms.length > 2) return text('headlineSlowest', armName(laggard));
  return verdictSentence(strongest).answer;
}

function winnerOf(pair: PairAnswer): Arm | null {
  if (pair.verdict.direction === 'faster') return pair.variant;
  return pair.verdict.direction === 'slower' ? pair.baseline : null;
}

function loserOf(pair: PairAnswer): Arm | null {
  if (pair.verdict.direction === 'faster') return pair.baseline;
  return pair.verdict.direction === 'slower' ? pair.variant : null;
}

function sizeOf(pair: PairAnswer): number {
  return Math.abs(pair.reductionPercent?.value ?? 0);
}
