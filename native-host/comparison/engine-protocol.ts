import * as v from 'valibot';
import { pageNames } from '../../lab/pages/page-models.ts';
import { BrowserFamilySchema } from '../../shared/record/browser-family.ts';
import { ErrorReportSchema } from '../../shared/record/error-report.ts';
import { LabSetupSchema } from '../../shared/record/lab-setup.ts';
import { PathMeasurementSchema, PathSchema, ShapeSchema } from '../../shared/record/path.ts';
import { DesignSchema, Http3DiscoverySchema, TargetSchema } from '../../shared/record/record.ts';
import { TrialSchema } from '../../shared/record/trial.ts';
import { ArmSchema } from '../../shared/record/arm.ts';
import { OwnBrowserPlaceSchema } from './trial-request.ts';

/** Where kept files go; null for those not asked for. Absolute directories that exist. */
export const KeepSchema = v.object({
  har: v.nullable(v.string()),
  pcap: v.nullable(v.string()),
  keyLog: v.nullable(v.string()),
});
export type Keep = v.InferOutput<typeof KeepSchema>;

/** What the command line asks of the engine: one comparison, the choice of network already made. */
export const EngineRequestSchema = v.object({
  /** Names what the run makes, where the kernel takes a name. */
  runId: v.string(),
  target: v.variant('kind', [
    v.object({ kind: v.literal('lab'), page: v.picklist(pageNames), setup: LabSetupSchema }),
    v.object({ kind: v.literal('url'), url: v.string() }),
  ]),
  network: v.object({ kind: v.picklist(['lab', 'rootless', 'root', 'none']), notes: v.array(v.string()) }),
  shape: v.nullable(ShapeSchema),
  design: DesignSchema,
  browser: v.object({
    family: BrowserFamilySchema,
    executable: v.string(),
    headless: v.boolean(),
    own: OwnBrowserPlaceSchema,
  }),
  /** True when the command was started by the real root, not by a namespace's. */
  realRoot: v.boolean(),
  keep: KeepSchema,
  /**
   * Directory for temporary files: a name, for a capsule that has a file system of its own; else a path.
   */
  scratch: v.string(),
  loadTimeoutMs: v.number(),
});
export type EngineRequest = v.InferOutput<typeof EngineRequestSchema>;

export const EngineCommandSchema = v.variant('type', [
  v.object({ type: v.literal('start'), request: EngineRequestSchema }),
  /** Ends the run; with an error where it could not go on. */
  v.object({ type: v.literal('cancel'), error: v.nullable(ErrorReportSchema) }),
]);

/** What the engine tells while it works, in order. `ended` is the last. */
export const EngineEventSchema = v.variant('type', [
  v.object({
    type: v.literal('activity'),
    state: v.picklist(['preparing', 'measuring-path', 'running']),
    text: v.string(),
  }),
  v.object({ type: v.literal('path'), path: PathSchema, target: TargetSchema }),
  v.object({ type: v.literal('http3'), http3: Http3DiscoverySchema }),
  v.object({ type: v.literal('browser'), version: v.string() }),
  v.object({ type: v.literal('trial-started'), arm: ArmSchema, index: v.number() }),
  v.object({ type: v.literal('trial'), trial: TrialSchema }),
  v.object({ type: v.literal('block'), trials: v.array(TrialSchema) }),
  v.object({ type: v.literal('arm-given-up'), arm: ArmSchema, reason: v.string() }),
  v.object({ type: v.literal('path-after'), measured: v.nullable(PathMeasurementSchema) }),
  v.object({
    type: v.literal('ended'),
    outcome: v.picklist(['complete', 'cancelled', 'failed']),
    error: v.nullable(ErrorReportSchema),
  }),
]);
export type EngineEvent = v.InferOutput<typeof EngineEventSchema>;
