import * as v from 'valibot';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const ms = v.pipe(v.number(), v.minValue(0));

/**
 * Why the packets tell no Time on Wire of an observed load:
 * - `unanswered`: the host has not answered, or the browser ended the background before it had;
 * - `not-captured`: the host is not there, or may not capture; `detail` has its words and what mends it;
 * - `no-addresses`: the browser has not told the address of every server that the page used;
 * - `in-the-clear`: the page used http, or something else that is not encrypted: such packets are not read;
 * - `left`: the page was left before its network had been quiet;
 * - `shared`: another tab used one of its servers meanwhile, so packets cannot be told apart;
 * - `busy`: one of its connections was in use when the load began;
 * - `late-capture`: one of its connections began before the capture did;
 * - `lost`: packets are missing from the capture;
 * - `too-much`: more passed than is kept;
 * - `no-packets`: no request to these servers passed the interface: all came from caches, or another way.
 */
export const NoTimeReasonSchema = v.picklist([
  'unanswered',
  'not-captured',
  'no-addresses',
  'in-the-clear',
  'left',
  'shared',
  'busy',
  'late-capture',
  'lost',
  'too-much',
  'no-packets',
]);
export type NoTimeReason = v.InferOutput<typeof NoTimeReasonSchema>;

/** A time read without keys, ms, and how far it may lie from the truth. */
const KeylessTimeSchema = v.object({ valueMs: ms, errorBoundMs: ms });
export type KeylessTime = v.InferOutput<typeof KeylessTimeSchema>;

/** What the packets say of one observed page load, without keys. */
export const ObservedTimeSchema = v.variant('missing', [
  v.object({
    missing: v.null(),
    /** From the first request to the last response. */
    timeOnWire: KeylessTimeSchema,
    /**
     * From the first packet to the first request, and to the last response; null where a connection was open before
     * the load began: then nothing was set up.
     */
    setup: v.nullable(KeylessTimeSchema),
    wireTotal: v.nullable(KeylessTimeSchema),
    /** Connections that carried requests of the page, and how many of them were open before the load began. */
    connections: count,
    reusedConnections: count,
  }),
  v.object({
    missing: NoTimeReasonSchema,
    /** The host's own words, with what to do; null where the reason says it all. */
    detail: v.nullable(v.string()),
  }),
]);
export type ObservedTime = v.InferOutput<typeof ObservedTimeSchema>;
