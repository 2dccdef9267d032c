import * as v from 'valibot';
import { ArmSchema } from '../record/arm.ts';
import { BrowserFamilySchema } from '../record/browser-family.ts';
import { ErrorReportSchema } from '../record/error-report.ts';
import { PrecisionSchema } from './host-protocol.ts';
import { PageUrlSchema } from './page-url.ts';
import { RunStatusSchema } from './run-status.ts';
import { WithoutHttp3StateSchema } from './without-http3.ts';

/** Name of the port by which popup and results page watch the background. */
export const watchPortName = 'towline-watch';

/** What the extension knows of the measuring host. */
export const HostStateSchema = v.variant('state', [
  /** Not connected, since nobody needs it. */
  v.object({ state: v.literal('asleep') }),
  v.object({ state: v.literal('connecting') }),
  v.object({ state: v.literal('ready'), hostVersion: v.string() }),
  v.object({ state: v.literal('unavailable'), error: ErrorReportSchema }),
]);
export type HostState = v.InferOutput<typeof HostStateSchema>;

/** A run as the extension follows it, from the host's first word to the stored record. */
export const TrackedRunSchema = v.object({
  status: RunStatusSchema,
  /** The stored record; null until it is stored. */
  recordId: v.nullable(v.string()),
  /** Why the record of an ended run could not be fetched or stored; null when nothing went wrong. */
  fetchError: v.nullable(ErrorReportSchema),
});
export type TrackedRun = v.InferOutput<typeof TrackedRunSchema>;

/** Whether the host watches packets for the recorder. */
export const WatchStateSchema = v.variant('state', [
  /** Not wanted. */
  v.object({ state: v.literal('off') }),
  v.object({ state: v.literal('starting') }),
  v.object({ state: v.literal('on'), interface: v.string() }),
  v.object({ state: v.literal('failed'), error: ErrorReportSchema }),
]);
export type WatchState = v.InferOutput<typeof WatchStateSchema>;

/** What popup and results page ask of the background. */
export const PageRequestSchema = v.variant('type', [
  v.object({
    type: v.literal('compare'),
    url: PageUrlSchema,
    arms: v.pipe(v.array(ArmSchema), v.minLength(1)),
    rounds: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(200)),
    precisionPercent: PrecisionSchema,
    gapMs: v.pipe(v.number(), v.minValue(0), v.maxValue(60_000)),
    /** The managed browser that loads the page; `own` is this very one. */
    browser: v.union([BrowserFamilySchema, v.literal('own')]),
  }),
  v.object({ type: v.literal('cancel'), runId: v.string() }),
  /** Open the page in a window of its own, with this protocol. */
  v.object({
    type: v.literal('open-window'),
    url: PageUrlSchema,
    arm: ArmSchema,
    browser: BrowserFamilySchema,
  }),
  /** Forget an ended run; its stored record stays. */
  v.object({ type: v.literal('dismiss'), runId: v.string() }),
  /** Keep the page's host from HTTP/3, and load the tab anew to see that it took. */
  v.object({
    type: v.literal('start-without-http3'),
    url: PageUrlSchema,
    tabId: v.pipe(v.number(), v.integer()),
  }),
  v.object({ type: v.literal('stop-without-http3') }),
  /** Try the host again, say after it was installed. */
  v.object({ type: v.literal('reconnect') }),
]);
export type PageRequest = v.InferOutput<typeof PageRequestSchema>;

/** What the background tells them: the whole state at every change, and what it refused. */
export const BackgroundMessageSchema = v.variant('type', [
  v.object({
    type: v.literal('state'),
    host: HostStateSchema,
    /** Newest first. */
    runs: v.array(TrackedRunSchema),
    /** Null in a build that may set no proxy. */
    withoutHttp3: v.nullable(WithoutHttp3StateSchema),
    watch: WatchStateSchema,
  }),
  v.object({ type: v.literal('refused'), error: ErrorReportSchema }),
]);
export type BackgroundMessage = v.InferOutput<typeof BackgroundMessageSchema>;

/** True once nothing more will happen in the run. */
export function hasEnded(status: { state: v.InferOutput<typeof RunStatusSchema>['state'] }): boolean {
  return status.state === 'complete' || status.state === 'cancelled' || status.state === 'failed';
}
