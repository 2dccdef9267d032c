import type { InstallReport, ManifestAction } from '../../shared/messages/install-report.ts';

const words: Record<ManifestAction, string> = {
  installed: 'installed',
  updated: 'updated',
  unchanged: 'as it was',
  removed: 'removed',
  absent: 'was not there',
};

/** What install and uninstall did, for a person: one line per file, those that were never there left out. */
export function installReportText({ wrapper, manifests }: InstallReport): string {
  const rows = [
    ...manifests.map(({ browser, path, action }) => ({ name: browser, path, action })),
    { name: 'Host', path: wrapper.path, action: wrapper.action },
  ].filter(({ action }) => action !== 'absent');
  if (rows.length === 0) return 'Nothing was installed.';
  const nameWidth = Math.max(...rows.map(({ name }) => name.length));
  const wordWidth = Math.max(...rows.map(({ action }) => words[action].length));
  return rows
    .map(({ name, path, action }) => `${name.padEnd(nameWidth)}  ${words[action].padEnd(wordWidth)}  ${path}`)
    .join('\n');
}
