import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { foundBrowsers, namedTargets, type TargetOptions } from '../install/choose-targets.ts';
import { installHost } from '../install/install-host.ts';
import { readPlaces } from '../install/places.ts';
import { writeFileAtomically } from '../runs/write-file-atomically.ts';
import { installReportText } from './install-report-text.ts';

export interface InstallCommandOptions extends TargetOptions {
  json: boolean;
}

/** What the command finds around it. */
export interface InstallSurroundings {
  env: Readonly<Record<string, string | undefined>>;
  /** The bundled host, beside the bundled command line. */
  hostFile: string;
}

const surroundings: InstallSurroundings = {
  env: process.env,
  hostFile: join(import.meta.dirname, 'main.js'),
};

/**
 * `towline install`: makes the native-messaging host known to the browsers of this person, for this person only.
 *
 * @returns the exit status
 * @throws TowlineError `browser-missing` where there is no browser, and what writing throws
 */
export async function install(
  options: InstallCommandOptions,
  print: (text: string) => void,
  { env, hostFile }: InstallSurroundings = surroundings,
): Promise<number> {
  const places = readPlaces(env);
  const targets = namedTargets(places, options) ?? foundBrowsers(places, env.PATH);
  if (targets.length === 0) {
    throw new TowlineError('browser-missing', 'install', 'No browser was found that could start the host.', {
      remedy: 'Install one (sudo apt-get install chromium), or name one: towline install --browser chromium.',
    });
  }
  if (!existsSync(hostFile)) {
    throw new TowlineError('file-not-found', 'install', `The host ${hostFile} has not been built.`, {
      remedy: 'npm run build',
    });
  }
  const report = await installHost({
    places,
    targets,
    node: process.execPath,
    hostFile,
    writeFile: (path, text, { mode }) => writeFileAtomically(path, text, { mode, stage: 'install' }),
  });
  print(options.json ? JSON.stringify(report, null, 2) : installReportText(report));
  return 0;
}
