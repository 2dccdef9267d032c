import * as v from 'valibot';

/** What became of one file that makes the host known to a browser. */
const ManifestActionSchema = v.picklist(['installed', 'updated', 'unchanged', 'removed', 'absent']);

/** What `towline install` and `towline uninstall` did, as `--json` prints it. */
export const InstallReportSchema = v.object({
  /** The host's name, by which the extension asks for it. */
  host: v.string(),
  /** The program that the browsers start. */
  wrapper: v.object({ path: v.string(), action: ManifestActionSchema }),
  manifests: v.array(
    v.object({
      /** For a person: `Chromium`, or the profile directory asked for. */
      browser: v.string(),
      path: v.string(),
      action: ManifestActionSchema,
    }),
  ),
});
export type InstallReport = v.InferOutput<typeof InstallReportSchema>;
export type ManifestAction = v.InferOutput<typeof ManifestActionSchema>;
