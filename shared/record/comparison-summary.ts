import * as v from 'valibot';
import { ArmSchema } from './arm.ts';
import { blocksRun } from './blocks-run.ts';
import { PathSchema, ShapeSchema } from './path.ts';
import { EnvironmentSchema, RecordSchema, type ComparisonRecord } from './record.ts';
import { PairAnswerSchema, type Pair, type PairAnswer } from './statistics.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** What a list of comparisons shows of one: no trial, and of its statistics the answers alone. */
export const ComparisonSummarySchema = v.object({
  id: v.string(),
  createdAt: v.string(),
  asked: v.string(),
  url: v.string(),
  browser: EnvironmentSchema.entries.browser,
  pathKind: PathSchema.entries.kind,
  shape: v.nullable(ShapeSchema),
  arms: v.array(ArmSchema),
  /** Blocks planned; where a plan may end the run early, blocks run. */
  rounds: count,
  /** Trials run and trials that count, the warm-up left out. */
  trials: count,
  validTrials: count,
  outcome: RecordSchema.entries.outcome,
  pairs: v.array(PairAnswerSchema),
});
export type ComparisonSummary = v.InferOutput<typeof ComparisonSummarySchema>;

/** An entry of a history of comparisons; `summary` is null where what is stored is damaged. */
export interface StoredComparison {
  id: string;
  summary: ComparisonSummary | null;
}

export function summaryOf(record: ComparisonRecord): ComparisonSummary {
  const counted = record.trials.filter((trial) => !trial.warmup);
  return {
    id: record.id,
    createdAt: record.createdAt,
    asked: record.target.asked,
    url: record.target.url,
    browser: record.environment.browser,
    pathKind: record.path.kind,
    shape: record.path.asked,
    arms: record.design.arms,
    rounds: record.design.stopping ? blocksRun(record.trials) : record.design.rounds,
    trials: counted.length,
    validTrials: counted.filter((trial) => trial.verdict.valid).length,
    outcome: record.outcome,
    pairs: record.statistics.pairs.map(answerOf),
  };
}

function answerOf(pair: Pair): PairAnswer {
  const { metric, baseline, variant, blocks, reductionPercent, pAdjusted, verdict } = pair;
  return { metric, baseline, variant, blocks, reductionPercent, pAdjusted, verdict };
}
