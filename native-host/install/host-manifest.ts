import * as v from 'valibot';
import { chromeExtensionId, firefoxExtensionId } from '../../shared/messages/extension-ids.ts';
import { hostName } from '../../shared/messages/host-protocol.ts';
import type { ManifestDialect } from './browsers.ts';

/** The manifest's file name: both dialects want the host's own. */
export const manifestFileName = `${hostName}.json`;

/** Who may start the host: the extension of the pinned id, nothing else. */
const chromiumCallers = [`chrome-extension://${chromeExtensionId}/`];
const firefoxCallers = [firefoxExtensionId];

/** The file that tells a browser which program the host is, and which extension may start it. */
export function hostManifest(dialect: ManifestDialect, wrapperPath: string): string {
  const manifest = {
    name: hostName,
    description: 'Towline: compares HTTP/1.1, HTTP/2 and HTTP/3 for the Towline extension.',
    path: wrapperPath,
    type: 'stdio',
    ...(dialect === 'chromium'
      ? { allowed_origins: chromiumCallers }
      : { allowed_extensions: firefoxCallers }),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

const ReadManifestSchema = v.object({
  name: v.literal(hostName),
  path: v.string(),
  type: v.literal('stdio'),
  allowed_origins: v.optional(v.array(v.string()), []),
  allowed_extensions: v.optional(v.array(v.string()), []),
});

/** What a browser would make of a manifest. @returns the program it would start, or why it would start none */
export function readHostManifest(
  dialect: ManifestDialect,
  text: string,
): { wrapperPath: string } | { fault: string } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { fault: 'its manifest is not JSON' };
  }
  const manifest = v.safeParse(ReadManifestSchema, json);
  if (!manifest.success) {
    return { fault: `its manifest is wrong at "${v.getDotPath(manifest.issues[0]) ?? 'the top'}"` };
  }
  const { path, allowed_origins, allowed_extensions } = manifest.output;
  const [allowed, callers] =
    dialect === 'chromium' ? [allowed_origins, chromiumCallers] : [allowed_extensions, firefoxCallers];
  if (!callers.every((caller) => allowed.includes(caller))) {
    return { fault: 'its manifest is for another version of the extension' };
  }
  return { wrapperPath: path };
}
