import * as v from 'valibot';
import { ArmSchema } from '../record/arm.ts';
import { BrowserFamilySchema } from '../record/browser-family.ts';
import { ErrorReportSchema } from '../record/error-report.ts';
import { ObservedTimeSchema } from '../record/observed-time.ts';
import { ShapeSchema } from '../record/path.ts';
import { OwnAnswerSchema, OwnBrowserSchema, OwnCallSchema } from './own-browser.ts';
import { PageUrlSchema } from './page-url.ts';
import { RunStatusSchema } from './run-status.ts';

/** Raised when host and extension could no longer understand each other. Each side refuses another number. */
export const protocolVersion = 1;

/** The host's name in native-messaging manifests. */
export const hostName = 'org.towline.host';

/** Longest piece of a record in one `record-chunk`: with JSON escapes it stays below the browser's 1 MiB. */
export const recordChunkChars = 256 * 1024;

const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,64}$/));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Half the width of an interval, percentage points; null where the number of rounds alone ends a run. */
export const PrecisionSchema = v.nullable(v.pipe(v.number(), v.minValue(0.1), v.maxValue(50)));

/** A host name or address in ASCII, as the browser puts it into a CONNECT request; IPv6 in brackets. */
const hostOfUrl = v.pipe(
  v.string(),
  v.maxLength(253),
  v.regex(/^(?:[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?|\[[0-9a-f:]{2,39}\])$/),
);
const port = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535));

/** Ms since 1970. */
const time = v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15));

/** Ports of servers that are watched besides 443, at most. */
export const morePorts = 64;

/** Servers of one page load that the host is asked about, at most. */
export const mostServers = 256;

/** Everything the extension can ask of the host. `requestId` comes back in the answer. */
export const HostRequestSchema = v.variant('type', [
  v.object({ type: v.literal('hello'), requestId: id, protocolVersion: count, extensionVersion: v.string() }),
  v.object({
    type: v.literal('compare'),
    requestId: id,
    url: PageUrlSchema,
    arms: v.pipe(v.array(ArmSchema), v.minLength(1), v.maxLength(4)),
    /** Blocks that count; the most there can be where a precision is asked for. */
    rounds: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(200)),
    /** End once every interval is this narrow; an extension that does not say means all the rounds. */
    precisionPercent: v.optional(PrecisionSchema, null),
    gapMs: v.pipe(v.number(), v.minValue(0), v.maxValue(60_000)),
    shape: v.nullable(ShapeSchema),
    /** A managed browser, or the one that asks; an extension that does not say means Chromium. */
    browser: v.optional(v.union([BrowserFamilySchema, OwnBrowserSchema]), 'chromium'),
  }),
  v.object({ type: v.literal('cancel'), requestId: id, runId: id }),
  /** Answered with `done` once the window is there, before it has loaded the page. */
  v.object({
    type: v.literal('open-window'),
    requestId: id,
    url: PageUrlSchema,
    arm: ArmSchema,
    browser: BrowserFamilySchema,
  }),
  /** Answered with `runs`: those going on, and those done that were not yet released. */
  v.object({ type: v.literal('status'), requestId: id }),
  /** Answered with `record-chunk`s. */
  v.object({ type: v.literal('fetch-record'), requestId: id, runId: id }),
  /** What became of an `own-call`. */
  v.object({ type: v.literal('own-answer'), requestId: id, runId: id, callId: id, answer: OwnAnswerSchema }),
  /** The extension has stored the record: the host may forget the run. */
  v.object({ type: v.literal('release'), requestId: id, runId: id }),
  /** Answered with `relay`. A relay that goes on already is ended first: there is one at most. */
  v.object({ type: v.literal('start-relay'), requestId: id, host: hostOfUrl, port }),
  /** Harmless where there is none. */
  v.object({ type: v.literal('stop-relay'), requestId: id }),
  /**
   * Watch the packets of port 443 and of these, until `unwatch` or the end of the port. Answered with `watching`;
   * asked again, with the ports added.
   */
  v.object({ type: v.literal('watch'), requestId: id, ports: v.pipe(v.array(port), v.maxLength(morePorts)) }),
  v.object({ type: v.literal('unwatch'), requestId: id }),
  /** Answered with `time-on-wire`, once the servers have been quiet: other requests are answered meanwhile. */
  v.object({
    type: v.literal('time-on-wire'),
    requestId: id,
    /** When the navigation began, and when the load event ended. */
    fromMs: time,
    toMs: time,
    servers: v.pipe(
      v.array(v.object({ address: v.pipe(v.string(), v.ip()), port })),
      v.minLength(1),
      v.maxLength(mostServers),
    ),
  }),
]);
export type HostRequest = v.InferOutput<typeof HostRequestSchema>;

/**
 * Everything the host can say. `run` comes unasked whenever a run's status changes; `own-call` and `own-stop` come
 * unasked from a run in the browser that asked for it.
 */
export const HostMessageSchema = v.variant('type', [
  v.object({
    type: v.literal('hello'),
    requestId: id,
    protocolVersion: count,
    hostVersion: v.string(),
  }),
  v.object({ type: v.literal('accepted'), requestId: id, run: RunStatusSchema }),
  v.object({ type: v.literal('runs'), requestId: id, runs: v.array(RunStatusSchema) }),
  v.object({ type: v.literal('run'), run: RunStatusSchema }),
  /** One step of a trial; answered by an `own-answer`. */
  v.object({ type: v.literal('own-call'), runId: id, callId: id, call: OwnCallSchema }),
  /** The trial has ended before its last step: nothing of it is to go on. */
  v.object({ type: v.literal('own-stop'), runId: id }),
  v.object({
    type: v.literal('record-chunk'),
    requestId: id,
    runId: id,
    /** From 0 to `total` - 1; the pieces in order make the record's JSON. */
    index: count,
    total: count,
    text: v.string(),
  }),
  v.object({
    type: v.literal('relay'),
    requestId: id,
    /** On 127.0.0.1. */
    port,
    /** What the relay asks for as the password, whatever the user name; new for every relay. */
    secret: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/)),
  }),
  v.object({ type: v.literal('done'), requestId: id }),
  v.object({ type: v.literal('watching'), requestId: id, interface: v.string() }),
  v.object({
    type: v.literal('time-on-wire'),
    requestId: id,
    /** What the packets say of the load that was asked about. */
    time: ObservedTimeSchema,
    /** When its window closed. */
    untilMs: time,
  }),
  v.object({ type: v.literal('error'), requestId: v.nullable(id), error: ErrorReportSchema }),
]);
export type HostMessage = v.InferOutput<typeof HostMessageSchema>;
