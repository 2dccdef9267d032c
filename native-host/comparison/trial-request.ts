import * as v from 'valibot';
import { ArmSchema } from '../../shared/record/arm.ts';
import { BrowserFamilySchema } from '../../shared/record/browser-family.ts';

/** Where the person's own browser, in which to load, is asked; null for a browser that is started for each trial. */
export const OwnBrowserPlaceSchema = v.nullable(
  v.object({
    /** The run's directory, through which the native-messaging host passes what is asked. */
    directory: v.string(),
    /** The browser's own process. */
    pid: v.pipe(v.number(), v.integer(), v.minValue(1)),
    version: v.string(),
  }),
);

/** One cold load, as the engine asks a trial worker for it. The worker runs inside the trial's namespace. */
export const TrialRequestSchema = v.object({
  url: v.string(),
  arm: ArmSchema,
  /** `host:port` of the origins that the h3 arm sends over QUIC from the first packet. */
  http3Origins: v.array(v.string()),
  browser: v.object({
    family: BrowserFamilySchema,
    executable: v.string(),
    wrapper: v.array(v.string()),
    headless: v.boolean(),
    withoutSandbox: v.boolean(),
    own: OwnBrowserPlaceSchema,
    trusted: v.nullable(v.object({ keyHash: v.string(), certificateFile: v.string() })),
  }),
  /** Empty directory of this trial alone: the profile, and the key log when nobody asked to keep it. */
  scratchDirectory: v.string(),
  capture: v.nullable(
    v.object({
      interface: v.string(),
      /** libpcap filter expression; empty for everything. */
      filter: v.string(),
      clientAddresses: v.array(v.string()),
      /** True where nobody else's packets are on the interface, so that silence on it means a quiet page. */
      exclusive: v.boolean(),
      /** True where what passes before the load is another tab's: it is left out. */
      fromLoad: v.boolean(),
    }),
  ),
  /** Files to keep, each null when not asked for. */
  harFile: v.nullable(v.string()),
  pcapFile: v.nullable(v.string()),
  keyLogFile: v.nullable(v.string()),
  loadTimeoutMs: v.number(),
});
export type TrialRequest = v.InferOutput<typeof TrialRequestSchema>;
