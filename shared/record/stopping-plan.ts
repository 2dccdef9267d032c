import * as v from 'valibot';

/** One planned moment at which the results so far are looked at. */
const LookSchema = v.object({
  /** Blocks that were run by then, the warm-up left out; above 0. */
  blocks: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** Confidence of intervals and, as 1 - confidence, level of tests at this look; 0..1. */
  confidence: v.number(),
});
export type Look = v.InferOutput<typeof LookSchema>;

/** When a run may end before its last block; fixed before the first trial, and kept with what it led to. */
export const StoppingPlanSchema = v.object({
  /**
   * Half the width that the interval of every pair's percent reduction must reach, percentage points: of Time on
   * Wire, or of load time where no packets could be captured.
   */
  precisionPercent: v.number(),
  /** In ascending order; the last is the end of the run. */
  looks: v.pipe(v.array(LookSchema), v.minLength(1)),
});
export type StoppingPlan = v.InferOutput<typeof StoppingPlanSchema>;
