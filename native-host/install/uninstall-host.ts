import { existsSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { InstallReport } from '../../shared/messages/install-report.ts';
import { hostName } from '../../shared/messages/host-protocol.ts';
import { manifestFileName } from './host-manifest.ts';
import { wrapperPath, type InstallTarget } from './install-host.ts';
import { readJournal, writeJournal, type WriteFile } from './install-journal.ts';
import type { Places } from './places.ts';

export interface UninstallOptions {
  places: Places;
  /** Which browsers are to forget the host; null for all, and whatever else install has made. */
  targets: readonly InstallTarget[] | null;
  /** All browsers there could be. */
  known: readonly InstallTarget[];
  writeFile: WriteFile;
}

/**
 * Takes away what {@link installHost} made: the manifests, the wrapper once no manifest is left to name it, and
 * those directories it had to make that are empty.
 */
export async function uninstallHost(options: UninstallOptions): Promise<InstallReport> {
  const { places, targets, known, writeFile } = options;
  const journal = await readJournal(places);
  const wrapper = wrapperPath(places);
  const knownPaths = new Map(known.map((target) => [manifestPath(target), target.title]));
  const everywhere = [
    ...new Set([...knownPaths.keys(), ...journal.files.filter((file) => file !== wrapper)]),
  ];
  const wanted = targets === null ? everywhere : targets.map(manifestPath);

  const manifests: InstallReport['manifests'] = [];
  for (const path of wanted) {
    const browser = knownPaths.get(path) ?? dirname(dirname(path));
    manifests.push({ browser, path, action: await remove(path) });
  }
  const lastOne = !everywhere.some((path) => existsSync(path));
  const wrapperAction = lastOne ? await remove(wrapper) : 'unchanged';

  const files = journal.files.filter((file) => existsSync(file));
  await writeJournal(places, { directories: journal.directories, files }, writeFile);
  await removeEmpty(journal.directories);
  return { host: hostName, wrapper: { path: wrapper, action: wrapperAction }, manifests };
}

function manifestPath({ manifestDirectory }: InstallTarget): string {
  return join(manifestDirectory, manifestFileName);
}

async function remove(path: string): Promise<'removed' | 'absent'> {
  if (!existsSync(path)) return 'absent';
  await rm(path);
  return 'removed';
}

/** Innermost first; a directory that somebody else has put something into stays. */
async function removeEmpty(directories: readonly string[]): Promise<void> {
  for (const directory of [...directories].sort((a, b) => b.length - a.length)) {
    try {
      await rmdir(directory);
    } catch {
      // Not empty, or gone: either way not ours to take away.
    }
  }
}
