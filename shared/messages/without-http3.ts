import * as v from 'valibot';
import { ErrorReportSchema } from '../record/error-report.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** What the reloaded page told of the requests that were to go through the relay. */
const RelayedLoadSchema = v.object({
  /** `nextHopProtocol` of the first of them: `http/1.1`, `h2`, `h3`. */
  protocol: v.string(),
  /** Those whose protocol the browser told. */
  requests: v.pipe(count, v.minValue(1)),
  /** Of these, over HTTP/3: none, if it works. */
  http3: count,
});
export type RelayedLoad = v.InferOutput<typeof RelayedLoadSchema>;

/** Whether one host of the person's own browser is kept from HTTP/3. */
export const WithoutHttp3StateSchema = v.variant('state', [
  /** `failed` says why it is off, where the person did not ask for that. */
  v.object({
    state: v.literal('off'),
    failed: v.nullable(v.object({ origin: v.string(), error: ErrorReportSchema })),
  }),
  /** The relay is being made, and the tab reloaded. */
  v.object({ state: v.literal('switching'), origin: v.string() }),
  /** `load` is null where the reloaded page told nothing of its protocols. */
  v.object({ state: v.literal('on'), origin: v.string(), load: v.nullable(RelayedLoadSchema) }),
]);
export type WithoutHttp3State = v.InferOutput<typeof WithoutHttp3StateSchema>;
