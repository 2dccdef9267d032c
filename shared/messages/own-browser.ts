/**
 * A comparison in the person's own browser: what a run asks of it for each trial, by way of host and extension, and
 * what it answers. A browser of the run's own is started and driven by the run itself, and needs none of this.
 */
import * as v from 'valibot';
import { ArmSchema } from '../record/arm.ts';
import { ErrorReportSchema } from '../record/error-report.ts';
import { NavigationSchema } from '../record/trial.ts';
import { PageUrlSchema } from './page-url.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
/** Ms since 1970; null for what the request did not go through. */
const moment = v.nullable(v.number());

/** Requests told of one load: more make a message longer than the port takes. */
const maxRequests = 5_000;

/** As Firefox tells its own version: `153.0`, `153.1.0esr`, `154.0a1`. */
export const BrowserVersionSchema = v.pipe(v.string(), v.regex(/^\d{1,4}(\.\d{1,4}){0,3}[a-z0-9]{0,8}$/));

/** The person's own browser, as a comparison in it is asked for. */
export const OwnBrowserSchema = v.object({
  own: v.literal(true),
  version: BrowserVersionSchema,
  headless: v.boolean(),
});
export type OwnBrowser = v.InferOutput<typeof OwnBrowserSchema>;

/** The three steps of one trial, in this order. */
export const OwnCallSchema = v.variant('verb', [
  /** Set the arm and forget what would warm the load up. */
  v.object({
    verb: v.literal('begin'),
    arm: ArmSchema,
    /** `host:port` of the origins that the h3 arm sends over QUIC from the first packet. */
    http3Origins: v.pipe(
      v.array(v.pipe(v.string(), v.regex(/^[A-Za-z0-9._:[\]-]{1,255}:\d{1,5}$/))),
      v.maxLength(500),
    ),
  }),
  /** Load this page in the run's tab, up to its load event. */
  v.object({
    verb: v.literal('load'),
    url: PageUrlSchema,
    timeoutMs: v.pipe(v.number(), v.minValue(0), v.maxValue(600_000)),
  }),
  /** Once the page is quiet, say what it asked for, and put everything back. */
  v.object({ verb: v.literal('finish') }),
]);
export type OwnCall = v.InferOutput<typeof OwnCallSchema>;

/** One request, as the browser's main process saw it: third parties too, and without a right to read the page. */
export const OwnRequestSchema = v.object({
  url: v.string(),
  /** `document`, `script`, `stylesheet`, `image`, ... */
  type: v.string(),
  /** `http/1.1`, `h2`, `h3`; null when there was no answer. */
  protocol: v.nullable(v.string()),
  status: v.nullable(count),
  askedAt: v.number(),
  dnsStart: moment,
  dnsEnd: moment,
  connectStart: moment,
  /** The beginning of TLS; on QUIC that of the connection. */
  tlsStart: moment,
  connectEnd: moment,
  requestStart: moment,
  responseStart: moment,
  endedAt: moment,
  /** Bytes over the network, header and body; null when there was no answer. */
  transferBytes: v.nullable(count),
  bodyBytes: v.nullable(count),
  serverAddress: v.nullable(v.string()),
  /** Of the browser's end of the connection. */
  localPort: v.nullable(count),
  fromCache: v.boolean(),
  /** Firefox's name of what went wrong; null when nothing did. */
  failure: v.nullable(v.string()),
});
export type OwnRequest = v.InferOutput<typeof OwnRequestSchema>;

/** What a load showed. */
export const OwnAccountSchema = v.object({
  requests: v.pipe(v.array(OwnRequestSchema), v.maxLength(maxRequests)),
  /** The last `Alt-Svc` value of every origin that sent one. */
  altSvc: v.record(v.string(), v.string()),
});
export type OwnAccount = v.InferOutput<typeof OwnAccountSchema>;

const failed = v.object({ type: v.literal('failed'), error: ErrorReportSchema });

/** What Firefox's main process answers to the three steps. */
export const OwnStepSchema = v.variant('type', [
  v.object({ type: v.literal('begun') }),
  v.object({ type: v.literal('loaded') }),
  v.object({ type: v.literal('finished'), account: OwnAccountSchema }),
  failed,
]);
export type OwnStep = v.InferOutput<typeof OwnStepSchema>;

/** The same as it comes to the run, with the page's own timing; null where the page could not be asked for it. */
export const OwnAnswerSchema = v.variant('type', [
  v.object({ type: v.literal('begun') }),
  v.object({ type: v.literal('loaded'), navigation: v.nullable(NavigationSchema) }),
  v.object({ type: v.literal('finished'), account: OwnAccountSchema }),
  failed,
]);
export type OwnAnswer = v.InferOutput<typeof OwnAnswerSchema>;
