import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { InstallReport, ManifestAction } from '../../shared/messages/install-report.ts';
import { hostName } from '../../shared/messages/host-protocol.ts';
import type { ManifestDialect } from './browsers.ts';
import { hostManifest, manifestFileName } from './host-manifest.ts';
import { readJournal, writeJournal, type WriteFile } from './install-journal.ts';
import type { Places } from './places.ts';
import { wrapperScript } from './wrapper-script.ts';

/** A browser, or a profile directory, that is to know the host. */
export interface InstallTarget {
  /** For a person. */
  title: string;
  dialect: ManifestDialect;
  manifestDirectory: string;
}

/** Where the wrapper lies for one person, whichever browsers start it. */
export function wrapperPath({ data }: Places): string {
  return join(data, 'native-host');
}

export interface InstallOptions {
  places: Places;
  targets: readonly InstallTarget[];
  /** Node and the bundled host that it runs: absolute paths. */
  node: string;
  hostFile: string;
  writeFile: WriteFile;
}

/** Makes the host known to each target. Done again, it changes nothing. @throws what `writeFile` throws */
export async function installHost(options: InstallOptions): Promise<InstallReport> {
  const { places, targets, node, hostFile, writeFile } = options;
  const wrapper = { path: wrapperPath(places), text: wrapperScript(node, hostFile), mode: 0o755 };
  const manifests = targets.map(({ title, dialect, manifestDirectory }) => ({
    title,
    path: join(manifestDirectory, manifestFileName),
    text: hostManifest(dialect, wrapper.path),
    mode: 0o644,
  }));

  const paths = [wrapper, ...manifests].map(({ path }) => path);
  const { directories, files } = await readJournal(places);
  await writeJournal(
    places,
    {
      directories: union(directories, paths.flatMap(missingDirectories)),
      files: union(files, paths),
    },
    writeFile,
  );

  const put = async (file: { path: string; text: string; mode: number }): Promise<ManifestAction> => {
    const before = await readIfThere(file.path);
    if (before === file.text) return 'unchanged';
    await mkdir(dirname(file.path), { recursive: true, mode: 0o700 });
    await writeFile(file.path, file.text, { mode: file.mode });
    return before === null ? 'installed' : 'updated';
  };
  const wrapperAction = await put(wrapper);
  const done: InstallReport['manifests'] = [];
  for (const manifest of manifests) {
    done.push({ browser: manifest.title, path: manifest.path, action: await put(manifest) });
  }
  return { host: hostName, wrapper: { path: wrapper.path, action: wrapperAction }, manifests: done };
}

/** The directories that have to be made for a file, outermost first. */
function missingDirectories(file: string): string[] {
  const missing: string[] = [];
  for (let path = dirname(file); !existsSync(path); path = dirname(path)) missing.unshift(path);
  return missing;
}

function union(before: readonly string[], added: readonly string[]): string[] {
  return [...new Set([...before, ...added])];
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return null;
  }
}
