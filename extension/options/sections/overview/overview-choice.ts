import { ArmSchema, type Arm } from '../../../../shared/record/arm.ts';
import type { ComparisonSummary } from '../../../../shared/record/comparison-summary.ts';
import type { Metric, PairAnswer } from '../../../../shared/record/statistics.ts';
import { armName } from '../../../charts/names.ts';
import { text } from '../../../charts/text.ts';
import { browserWords } from '../../browser-words.ts';
import { shapeWords } from '../../network-words.ts';

/** What a filter that lets everything through is set to. */
export const everything = '';

export type Order = 'newest' | 'oldest' | 'most-saved' | 'least-saved' | 'page';

/** What the overview shows: kept while the person looks around, so that coming back finds it as it was. */
export interface OverviewChoice {
  /** A pair's key, or {@link everything} for all pairs. */
  pair: string;
  /** Null until one is chosen: then the one that most comparisons know. */
  metric: Metric | null;
  page: string;
  network: string;
  condition: string;
  browser: string;
  /** Days as `YYYY-MM-DD` in the reader's own zone, both included. */
  from: string;
  to: string;
  order: Order;
}

export function freshChoice(): OverviewChoice {
  return {
    pair: everything,
    metric: null,
    page: everything,
    network: everything,
    condition: everything,
    browser: everything,
    from: everything,
    to: everything,
    order: 'newest',
  };
}

/** The facts that comparisons are filtered by, in words. */
export const facets = {
  page: ({ asked }: ComparisonSummary) => asked,
  network: ({ pathKind }: ComparisonSummary) => text(pathKind === 'lab' ? 'networkLab' : 'networkOwn'),
  condition: ({ shape }: ComparisonSummary) => (shape ? shapeWords(shape) : text('conditionNone')),
  browser: ({ browser }: ComparisonSummary) => browserWords(browser),
} as const;
export type Facet = keyof typeof facets;

/** Those that pass every filter, in the chosen order. */
export function chosen(
  summaries: readonly ComparisonSummary[],
  choice: OverviewChoice,
  metric: Metric,
): ComparisonSummary[] {
  const names = Object.keys(facets) as Facet[];
  const from = choice.from === everything ? -Infinity : new Date(`${choice.from}T00:00:00`).getTime();
  const to = choice.to === everything ? Infinity : new Date(`${choice.to}T23:59:59.999`).getTime();
  return summaries
    .filter((summary) => {
      const at = Date.parse(summary.createdAt);
      return (
        at >= from &&
        at <= to &&
        names.every((facet) => choice[facet] === everything || facets[facet](summary) === choice[facet])
      );
    })
    .sort(comparing(choice, metric));
}

function comparing(
  { order, pair }: OverviewChoice,
  metric: Metric,
): (a: ComparisonSummary, b: ComparisonSummary) => number {
  const saved = (summary: ComparisonSummary): number => mostSaved(summary, pair, metric) ?? -Infinity;
  switch (order) {
    case 'newest':
      return (a, b) => b.createdAt.localeCompare(a.createdAt);
    case 'oldest':
      return (a, b) => a.createdAt.localeCompare(b.createdAt);
    case 'most-saved':
      return (a, b) => compareNumbers(saved(b), saved(a));
    case 'least-saved':
      // Those without a figure come last either way.
      return (a, b) => compareNumbers(known(saved(a)), known(saved(b)));
    case 'page':
      return (a, b) => a.asked.localeCompare(b.asked) || b.createdAt.localeCompare(a.createdAt);
  }
}

function known(saved: number): number {
  return saved === -Infinity ? Infinity : saved;
}

function compareNumbers(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** Percent of time saved by the pair, or by the pair that saves most; null where none is known. */
function mostSaved(summary: ComparisonSummary, pair: string, metric: Metric): number | null {
  const saved = pairsOf(summary, pair, metric).flatMap(
    ({ reductionPercent }) => reductionPercent?.value ?? [],
  );
  return saved.length === 0 ? null : Math.max(...saved);
}

/** A comparison's pairs on one metric: one, or all for {@link everything}. */
export function pairsOf(summary: ComparisonSummary, pair: string, metric: Metric): PairAnswer[] {
  return summary.pairs.filter(
    (each) => each.metric === metric && (pair === everything || keyOf(each) === pair),
  );
}

export function keyOf({ variant, baseline }: Pick<PairAnswer, 'variant' | 'baseline'>): string {
  return `${variant}/${baseline}`;
}

/** Pairs of arms that any comparison has, in the order of the arms. */
export function knownPairs(summaries: readonly ComparisonSummary[]): { key: string; label: string }[] {
  const present = new Set(summaries.flatMap(({ pairs }) => pairs.map(keyOf)));
  const arms: readonly Arm[] = ArmSchema.options;
  return arms
    .flatMap((variant) => arms.map((baseline) => ({ variant, baseline })))
    .filter((pair) => present.has(keyOf(pair)))
    .map((pair) => ({
      key: keyOf(pair),
      label: text('gainsLabel', armName(pair.variant), armName(pair.baseline)),
    }));
}
