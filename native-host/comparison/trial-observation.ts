import * as v from 'valibot';
import { ErrorReportSchema } from '../../shared/record/error-report.ts';
import { CaptureSchema, NavigationSchema, ResourceSchema } from '../../shared/record/trial.ts';
import { WireSchema } from '../../shared/record/wire.ts';
import { TrialRequestSchema } from './trial-request.ts';

const ms = v.number();

/** What one load showed, before anybody judges it. */
export const TrialObservationSchema = v.object({
  startedAt: v.string(),
  browserVersion: v.nullable(v.string()),
  navigation: v.nullable(NavigationSchema),
  resources: v.array(ResourceSchema),
  /** `Alt-Svc` header values by origin, as the responses gave them. */
  altSvc: v.record(v.string(), v.string()),
  wire: v.nullable(WireSchema),
  wireMissing: v.nullable(v.string()),
  capture: v.nullable(CaptureSchema),
  cpuIdleRatio: v.nullable(v.number()),
  cost: v.object({ browserStartMs: ms, loadMs: ms, quietMs: ms, analysisMs: ms }),
  error: v.nullable(ErrorReportSchema),
});
export type TrialObservation = v.InferOutput<typeof TrialObservationSchema>;

/** What a worker says, in this order: `ready`, `loaded`, `observed`; or `failed`. */
export const WorkerMessageSchema = v.variant('type', [
  /** Browser and capture run; the load starts at the engine's word. */
  v.object({ type: v.literal('ready') }),
  /** The load event has fired, or the load has failed: only the quiet period is left. */
  v.object({ type: v.literal('loaded') }),
  v.object({ type: v.literal('observed'), observation: TrialObservationSchema }),
  /** Nothing could be measured: no browser, say. The process ends. */
  v.object({ type: v.literal('failed'), error: ErrorReportSchema }),
]);

export type WorkerMessage = v.InferOutput<typeof WorkerMessageSchema>;

/** What the engine says to a worker: the request, then the word to start. */
export const WorkerCommandSchema = v.variant('type', [
  v.object({ type: v.literal('prepare'), request: TrialRequestSchema }),
  v.object({ type: v.literal('go') }),
]);
