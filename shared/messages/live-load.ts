import * as v from 'valibot';
import { ArmSchema } from '../record/arm.ts';
import { ErrorReportSchema } from '../record/error-report.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** One cold load in the person's own Firefox, in the arm asked for. */
const LiveLoadSchema = v.object({
  arm: ArmSchema,
  url: v.string(),
  /** As the browser names the protocol of the document: `http/1.1`, `h2`, `h3`. */
  protocol: v.string(),
  /** Whether the document came over what the arm asks for; any protocol will do for `auto`. */
  confirmed: v.boolean(),
  /** The page's requests by protocol, frames and third parties too. */
  requests: v.record(v.string(), count),
  /** Of these, answered from a cache. */
  fromCache: count,
  /** From the document's request to the load event, as the browser's main process saw it, ms. */
  loadTimeMs: v.number(),
});
export type LiveLoad = v.InferOutput<typeof LiveLoadSchema>;

/** What the browser's negotiation is doing. */
export const LiveStateSchema = v.variant('state', [
  v.object({ state: v.literal('idle') }),
  /** The arm is set and its load goes on. */
  v.object({ state: v.literal('loading'), tabId: v.number(), arm: ArmSchema }),
  v.object({ state: v.literal('loaded'), tabId: v.number(), load: LiveLoadSchema }),
  v.object({ state: v.literal('failed'), tabId: v.number(), arm: ArmSchema, error: ErrorReportSchema }),
]);
export type LiveState = v.InferOutput<typeof LiveStateSchema>;
