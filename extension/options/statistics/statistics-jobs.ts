import * as v from 'valibot';
import { ArmSchema } from '../../../shared/record/arm.ts';
import { RecordSchema } from '../../../shared/record/record.ts';

const times = v.array(v.array(v.nullable(v.number())));

/** What a page asks of the statistics worker. */
export const StatisticsJobSchema = v.object({
  /** Given back with the answer. */
  id: v.number(),
  task: v.variant('kind', [
    /** The statistics of a comparison, made from its trials. */
    v.object({ kind: v.literal('summarise'), record: RecordSchema }),
    /** What differs between two comparisons: `changesBetween` of shared/stats. */
    v.object({
      kind: v.literal('changes'),
      arms: v.array(ArmSchema),
      first: times,
      second: times,
      confidence: v.number(),
      resamples: v.number(),
      seed: v.number(),
    }),
  ]),
});
export type StatisticsTask = v.InferOutput<typeof StatisticsJobSchema>['task'];

/** The worker's answer: the figures, or why there are none. */
export const StatisticsAnswerSchema = v.object({
  id: v.number(),
  answer: v.variant('kind', [
    v.object({ kind: v.literal('figures'), figures: v.unknown() }),
    v.object({ kind: v.literal('failed'), message: v.string() }),
  ]),
});
export type StatisticsAnswer = v.InferOutput<typeof StatisticsAnswerSchema>;
