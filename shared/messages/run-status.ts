import * as v from 'valibot';
import { ArmSchema } from '../record/arm.ts';
import { ErrorReportSchema } from '../record/error-report.ts';
import { MetricSchema } from '../record/statistics.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** How narrow the intervals of the answer have become. */
const NarrowingSchema = v.object({
  metric: MetricSchema,
  /** Of the intervals, 0..1: that of the next planned look, or 0.95. */
  confidence: v.number(),
  /** What the run is planned to reach, percentage points on either side; null where it only counts rounds. */
  precisionPercent: v.nullable(v.number()),
  /** Time saved so far by each pair's variant, %, with its interval; pairs that have none yet are left out. */
  pairs: v.array(
    v.object({
      baseline: ArmSchema,
      variant: ArmSchema,
      value: v.number(),
      low: v.number(),
      high: v.number(),
    }),
  ),
  /** Half the width of the widest interval after each block since there has been one, percentage points. */
  halfWidthsPercent: v.array(v.number()),
});
export type Narrowing = v.InferOutput<typeof NarrowingSchema>;

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
  /** Planned trials, warm-up and repetitions decided so far included; a stopping plan may end the run earlier. */
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
  /** Null while there are too few blocks for an interval, and from hosts that do not tell. */
  narrowing: v.optional(v.nullable(NarrowingSchema), null),
  error: v.nullable(ErrorReportSchema),
});
export type RunStatus = v.InferOutput<typeof RunStatusSchema>;
