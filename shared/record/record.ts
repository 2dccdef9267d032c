import * as v from 'valibot';
import { ArmSchema } from './arm.ts';
import { BrowserFamilySchema } from './browser-family.ts';
import { ErrorReportSchema } from './error-report.ts';
import { LabSetupSchema } from './lab-setup.ts';
import { PathSchema } from './path.ts';
import { StatisticsSchema } from './statistics.ts';
import { StoppingPlanSchema } from './stopping-plan.ts';
import { TrialSchema } from './trial.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The schema's own version: raised with every change that an older reader could not read. */
export const recordVersion = 1;

/** Machine and software that measured. Holds nothing that names the person or the machine. */
export const EnvironmentSchema = v.object({
  towlineVersion: v.string(),
  os: v.string(),
  kernel: v.string(),
  architecture: v.string(),
  cpu: v.string(),
  cpuCores: count,
  memoryBytes: count,
  node: v.string(),
  browser: v.object({
    name: BrowserFamilySchema,
    version: v.string(),
    headless: v.boolean(),
    /** True in the person's own browser, with its profile and extensions; absent for one started for each trial. */
    own: v.optional(v.literal(true)),
  }),
});
export type Environment = v.InferOutput<typeof EnvironmentSchema>;

/** The page compared. */
export const TargetSchema = v.object({
  /** As asked: an http(s) address or `lab:PAGE`. */
  asked: v.string(),
  /** What the browser was sent to. */
  url: v.string(),
  lab: v.nullable(
    v.object({
      page: v.string(),
      server: v.string(),
      resources: count,
      /** Sum of the bodies, bytes. */
      bytes: count,
      /** How the servers were set up; null in records from before it could be chosen: one server, IPv4, ten segments, CUBIC. */
      setup: v.optional(v.nullable(LabSetupSchema), null),
      /** The servers by name, the document's first, with their address; empty in records from before there were several. */
      servers: v.optional(v.array(v.object({ name: v.string(), address: v.string() })), []),
    }),
  ),
});
export type Target = v.InferOutput<typeof TargetSchema>;

/** What was planned before the first trial. */
export const DesignSchema = v.object({
  arms: v.pipe(v.array(ArmSchema), v.minLength(1)),
  /** Blocks that count; the warm-up block comes on top. Where a plan may end the run early, the most there can be. */
  rounds: count,
  warmupBlocks: count,
  seed: count,
  gapMs: v.number(),
  /** How often a block with a failed arm is tried again. */
  blockRetries: count,
  /** Arms in the order of each block, warm-up first. */
  order: v.array(v.array(ArmSchema)),
  /** Null where the run goes on to its last block, as all did before there were plans. */
  stopping: v.optional(v.nullable(StoppingPlanSchema), null),
});
export type Design = v.InferOutput<typeof DesignSchema>;

/** How HTTP/3 was found for the h3 arm: `forced` where the lab is known to speak it. */
export const Http3DiscoverySchema = v.object({
  origins: v.array(
    v.object({
      /** host:port */
      origin: v.string(),
      found: v.picklist(['lab', 'alt-svc', 'https-record']),
    }),
  ),
  /** Plain sentence: what was tried and seen. */
  detail: v.string(),
});
export type Http3Discovery = v.InferOutput<typeof Http3DiscoverySchema>;

/** One comparison: the only shape that is stored, charted, exported or uploaded. */
export const RecordSchema = v.object({
  format: v.literal('towline-record'),
  version: v.literal(recordVersion),
  id: v.string(),
  createdAt: v.string(),
  environment: EnvironmentSchema,
  target: TargetSchema,
  design: DesignSchema,
  path: PathSchema,
  http3: v.nullable(Http3DiscoverySchema),
  trials: v.array(TrialSchema),
  statistics: StatisticsSchema,
  /** `running` is seen only in a file whose run was cut off. */
  outcome: v.picklist(['running', 'complete', 'cancelled', 'failed']),
  error: v.nullable(ErrorReportSchema),
});
export type ComparisonRecord = v.InferOutput<typeof RecordSchema>;
