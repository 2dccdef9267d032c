import * as v from 'valibot';

/** One thing that Towline needs of the machine. */
const CheckupSchema = v.object({
  /** Stable, for programs: `node`, `capture-libpcap`, `host-chromium`, ... */
  id: v.string(),
  section: v.picklist(['measuring', 'network', 'lab', 'browsers', 'extension']),
  /** For a person: `libpcap`. */
  title: v.string(),
  /** `warning`: it is there and does not do all it should. */
  state: v.picklist(['ok', 'warning', 'missing']),
  /** What was found, a few words. */
  found: v.string(),
  /** What it is for, a few words. */
  purpose: v.string(),
  /** Without it, `towline compare` cannot measure. */
  required: v.boolean(),
  /** The command that mends it, or a sentence where no command does; null where nothing is to be mended. */
  remedy: v.nullable(v.string()),
});
export type Checkup = v.InferOutput<typeof CheckupSchema>;

/** What `towline doctor --json` prints. */
export const DoctorReportSchema = v.object({
  towlineVersion: v.string(),
  /** All that `towline compare` needs is there. */
  ready: v.boolean(),
  checkups: v.array(CheckupSchema),
  /** What `--clean` did, one sentence each; null when it was not asked for. */
  cleaned: v.nullable(v.array(v.string())),
});
export type DoctorReport = v.InferOutput<typeof DoctorReportSchema>;
