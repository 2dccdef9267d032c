import * as v from 'valibot';
import {
  EstimateSchema,
  StatisticsSchema,
  type Metric,
  type Statistics,
} from '../../../shared/record/statistics.ts';
import { ArmSchema, type Arm } from '../../../shared/record/arm.ts';
import type { ComparisonRecord } from '../../../shared/record/record.ts';
import { countedBlocks, metricOf } from '../../../shared/stats/counted-blocks.ts';
import { StatisticsAnswerSchema, type StatisticsTask } from './statistics-jobs.ts';

const count = v.number();
const change = {
  blocks: v.tuple([count, count]),
  change: v.nullable(EstimateSchema),
  shown: v.boolean(),
};
const ChangesSchema = v.object({
  arms: v.array(v.object({ ...change, arm: ArmSchema })),
  pairs: v.array(v.object({ ...change, baseline: ArmSchema, variant: ArmSchema })),
});
export type Changes = v.InferOutput<typeof ChangesSchema>;

/** Statistics that take long enough to be felt, reckoned in a worker that is started when first needed. */
export class OffPageStatistics {
  readonly #start: () => Worker;
  readonly #waiting = new Map<
    number,
    { resolve: (figures: unknown) => void; reject: (error: Error) => void }
  >();
  #worker: Worker | null = null;
  #jobs = 0;

  /** @param start makes the worker: a page of the extension and a page on disk do it differently */
  constructor(start: () => Worker) {
    this.#start = start;
  }

  /** A comparison's statistics, made anew from its trials with its own seed. */
  async summarise(record: ComparisonRecord): Promise<Statistics> {
    return v.parse(StatisticsSchema, await this.#ask({ kind: 'summarise', record }));
  }

  /** What differs between two comparisons on one metric, for the arms that both have, at {@link sharedConfidence}. */
  async changes(first: ComparisonRecord, second: ComparisonRecord, metric: Metric): Promise<Changes> {
    // In the order in which statistics pair them.
    const arms = ArmSchema.options.filter((arm) =>
      [first, second].every(({ design }) => design.arms.includes(arm)),
    );
    const figures = await this.#ask({
      kind: 'changes',
      arms,
      first: blockTimes(first, arms, metric),
      second: blockTimes(second, arms, metric),
      confidence: sharedConfidence(first, second),
      resamples: 10_000,
      seed: first.design.seed,
    });
    return v.parse(ChangesSchema, figures);
  }

  #ask(task: StatisticsTask): Promise<unknown> {
    const id = ++this.#jobs;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#running().postMessage({ id, task });
    });
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const worker = this.#start();
    this.#worker = worker;
    worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const { id, answer } = v.parse(StatisticsAnswerSchema, data);
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (answer.kind === 'figures') waiting?.resolve(answer.figures);
      else waiting?.reject(new Error(answer.message));
    });
    worker.addEventListener('error', ({ message }) => {
      this.#worker = null;
      for (const { reject } of this.#waiting.values()) reject(new Error(message));
      this.#waiting.clear();
    });
    return worker;
  }
}

/** The confidence of what is said about two comparisons, 0..1: of the stricter, for a run that may end early is one. */
export function sharedConfidence(first: ComparisonRecord, second: ComparisonRecord): number {
  return Math.max(first.statistics.confidence, second.statistics.confidence);
}

function blockTimes(record: ComparisonRecord, arms: readonly Arm[], metric: Metric): (number | null)[][] {
  return countedBlocks(record.trials).map((block) =>
    arms.map((arm) => {
      const trial = block.get(arm);
      return trial ? metricOf(trial, metric) : null;
    }),
  );
}
