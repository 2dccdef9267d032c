import * as v from 'valibot';
import { ArmSchema } from './arm.ts';
import { ErrorReportSchema } from './error-report.ts';
import { WireSchema } from './wire.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const ms = v.number();

/**
 * Navigation Timing of the main document, ms since `timeOriginEpochMs`.
 * Source: W3C Navigation Timing 2; a mark the browser did not reach is null, never 0.
 */
export const NavigationSchema = v.object({
  timeOriginEpochMs: ms,
  /** The browser's `nextHopProtocol` of the document, as given: `http/1.1`, `h2`, `h3`. */
  nextHopProtocol: v.nullable(v.string()),
  status: v.nullable(count),
  domainLookupStartMs: v.nullable(ms),
  domainLookupEndMs: v.nullable(ms),
  connectStartMs: v.nullable(ms),
  secureConnectionStartMs: v.nullable(ms),
  connectEndMs: v.nullable(ms),
  requestStartMs: v.nullable(ms),
  responseStartMs: v.nullable(ms),
  responseEndMs: v.nullable(ms),
  domContentLoadedMs: v.nullable(ms),
  loadEventStartMs: v.nullable(ms),
  loadEventEndMs: v.nullable(ms),
  firstContentfulPaintMs: v.nullable(ms),
});
export type Navigation = v.InferOutput<typeof NavigationSchema>;

/** How long one request spent in each phase, ms; null where it did not go through it or the browser hides it. */
export const PhasesSchema = v.object({
  blockedMs: v.nullable(ms),
  dnsMs: v.nullable(ms),
  /** TCP handshake (QUIC: the whole handshake). */
  connectMs: v.nullable(ms),
  tlsMs: v.nullable(ms),
  sendMs: v.nullable(ms),
  waitMs: v.nullable(ms),
  receiveMs: v.nullable(ms),
});
export type Phases = v.InferOutput<typeof PhasesSchema>;

/** One request as the browser tells it. */
export const ResourceSchema = v.object({
  url: v.string(),
  /** The browser's resource type: `document`, `script`, `stylesheet`, `image`, ... */
  type: v.string(),
  /** As the browser names it: `http/1.1`, `h2`, `h3`; null when it never got an answer or hides it. */
  protocol: v.nullable(v.string()),
  status: v.nullable(count),
  /** Ms since the navigation's `timeOriginEpochMs`. */
  startedAtMs: ms,
  endedAtMs: v.nullable(ms),
  phases: PhasesSchema,
  /** Bytes over the network, headers included, as the browser counts; null when hidden. */
  transferBytes: v.nullable(count),
  /** Body after decoding. */
  bodyBytes: v.nullable(count),
  serverAddress: v.nullable(v.string()),
  connectionId: v.nullable(v.string()),
  fromCache: v.boolean(),
  /** Why it did not finish, as the browser says; null when it did. */
  failure: v.nullable(v.string()),
});
export type Resource = v.InferOutput<typeof ResourceSchema>;

/** What libpcap said when the capture ended. */
export const CaptureSchema = v.object({
  source: v.picklist(['libpcap', 'tcpdump']),
  packets: count,
  droppedByKernel: v.nullable(count),
  droppedByInterface: v.nullable(count),
  snapLength: count,
});
export type Capture = v.InferOutput<typeof CaptureSchema>;

/** The rules of METHOD "A trial counts only if", each checked for every trial. */
export const RuleSchema = v.picklist([
  'cold',
  'protocol-browser',
  'protocol-packets',
  'whole',
  'same-resources',
  'capture',
  'path',
  'host',
]);
export type Rule = v.InferOutput<typeof RuleSchema>;

/** One rule's outcome. `passed` is null where it could not be checked; `detail` says what was seen. */
export const CheckSchema = v.object({
  rule: RuleSchema,
  passed: v.nullable(v.boolean()),
  detail: v.string(),
});
export type Check = v.InferOutput<typeof CheckSchema>;

/** Whether the trial counts. `reasons` is empty exactly when it does. */
export const VerdictSchema = v.object({
  valid: v.boolean(),
  reasons: v.array(v.string()),
  checks: v.array(CheckSchema),
});
export type Verdict = v.InferOutput<typeof VerdictSchema>;

/** Share of the page's own-origin requests and bytes that used the arm's protocol, 0..1; null without any. */
export const TreatmentSchema = v.object({
  requestShare: v.nullable(v.number()),
  byteShare: v.nullable(v.number()),
  /** The same from the packets; null without capture. */
  wireByteShare: v.nullable(v.number()),
  /** All requests, third parties too, by protocol as the browser names it (`unknown` when hidden). */
  mix: v.record(v.string(), count),
});
export type Treatment = v.InferOutput<typeof TreatmentSchema>;

/** Where the trial's time went outside the page, ms. */
export const CostSchema = v.object({
  pathMs: ms,
  workerMs: ms,
  browserStartMs: ms,
  loadMs: ms,
  quietMs: ms,
  analysisMs: ms,
  closeMs: ms,
});
export type Cost = v.InferOutput<typeof CostSchema>;

/** One cold page load in one arm, valid or not. */
export const TrialSchema = v.object({
  /** Order in which it ran, from 0. */
  index: count,
  /** Block, from 0; the warm-up block is 0 when the design has one. */
  block: count,
  /** Try of this block, from 0: a block with a failed arm is repeated. */
  attempt: count,
  arm: ArmSchema,
  warmup: v.boolean(),
  startedAt: v.string(),
  verdict: VerdictSchema,
  /** Navigation start to the end of the load event, ms. */
  loadTimeMs: v.nullable(ms),
  navigation: v.nullable(NavigationSchema),
  resources: v.array(ResourceSchema),
  /** Sums over the requests of the page. */
  phases: PhasesSchema,
  treatment: TreatmentSchema,
  wire: v.nullable(WireSchema),
  /** Why `wire` is null; null when it is there. */
  wireMissing: v.nullable(v.string()),
  capture: v.nullable(CaptureSchema),
  /** Share of the machine's CPU time that was idle during the load, 0..1. */
  cpuIdleRatio: v.nullable(v.number()),
  cost: v.nullable(CostSchema),
  error: v.nullable(ErrorReportSchema),
});
export type Trial = v.InferOutput<typeof TrialSchema>;
