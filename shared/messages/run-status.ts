import * as v from 'valibot';
import { ArmSchema } from '../record/arm.ts';
import { ErrorReportSchema } from '../record/error-report.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** How far a comparison is: shown on the terminal, in the popup and in the badge. */
export const RunStatusSchema = v.object({
  runId: v.string(),
  /** As asked. */
  url: v.string(),
  arms: v.array(ArmSchema),
  startedAt: v.string(),
  state: v.picklist(['preparing', 'measuring-path', 'running', 'complete', 'cancelled', 'failed']),
  /** One plain sentence: what is going on now. */
  activity: v.string(),
  trialsDone: count,
  /** Planned trials, warm-up and repetitions decided so far included. */
  trialsPlanned: count,
  trialsValid: count,
  currentArm: v.nullable(ArmSchema),
  /** Ms left by the mean pace so far; null before the first trial has ended. */
  remainingMs: v.nullable(v.number()),
  /** Medians so far by arm, ms; an arm without a valid trial is left out. */
  medians: v.array(
    v.object({
      arm: ArmSchema,
      valid: count,
      timeOnWireMs: v.nullable(v.number()),
      loadTimeMs: v.nullable(v.number()),
    }),
  ),
  error: v.nullable(ErrorReportSchema),
});
export type RunStatus = v.InferOutput<typeof RunStatusSchema>;
