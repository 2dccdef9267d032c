import { browserPlaces } from '../install/browsers.ts';
import { namedTargets, type TargetOptions } from '../install/choose-targets.ts';
import { readPlaces } from '../install/places.ts';
import { uninstallHost } from '../install/uninstall-host.ts';
import { writeFileAtomically } from '../runs/write-file-atomically.ts';
import { installReportText } from './install-report-text.ts';

export interface UninstallCommandOptions extends TargetOptions {
  json: boolean;
}

/** `towline uninstall`: takes away what `towline install` made, and nothing else. @returns the exit status */
export async function uninstall(
  options: UninstallCommandOptions,
  print: (text: string) => void,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<number> {
  const places = readPlaces(env);
  const report = await uninstallHost({
    places,
    targets: namedTargets(places, options),
    known: browserPlaces(places),
    writeFile: (path, text, { mode }) => writeFileAtomically(path, text, { mode, stage: 'install' }),
  });
  print(options.json ? JSON.stringify(report, null, 2) : installReportText(report));
  return 0;
}
