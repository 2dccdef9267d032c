import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const repository = join(import.meta.dirname, '../../..');

/**
 * A command line that measures nothing: it tells a run's status and record as `compare` does, is cancelled by
 * SIGINT, and ends well once a file `finish` lies in its run's directory. Written without the project's own code:
 * what it writes is what the files of a run must look like.
 */
const standIn = `
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
const args = process.argv.slice(2);
const option = (name) => args[args.indexOf(name) + 1];
const directory = process.env.XDG_STATE_HOME + '/towline/runs/' + option('--run-id');
const put = (name, content) => {
  writeFileSync(directory + '/new', JSON.stringify(content));
  renameSync(directory + '/new', directory + '/' + name);
};
const status = JSON.parse(readFileSync(directory + '/status.json', 'utf8'));
const end = (state) => {
  put('record.json', { args, state, text: '\\u{1f600}'.repeat(300000) });
  put('status.json', { ...status, state, activity: 'Done', trialsDone: 1, trialsPlanned: 1 });
  process.exit();
};
process.on('SIGINT', () => end('cancelled'));
put('status.json', { ...status, state: 'running', activity: 'Trial 1 of 1', trialsPlanned: 1 });
setInterval(() => {
  if (!existsSync(directory)) process.exit();
  if (existsSync(directory + '/finish')) end('complete');
}, 20);
`;

/** Bundles the host as the build does, into a directory like an installed package. @returns path of main.js */
export async function buildHost(directory: string): Promise<string> {
  const dist = join(directory, 'dist', 'native-host');
  await mkdir(dist, { recursive: true });
  await cp(join(repository, 'package.json'), join(directory, 'package.json'));
  await symlink(join(repository, 'node_modules'), join(directory, 'node_modules'));
  await build({
    entryPoints: [join(repository, 'native-host', 'main.ts')],
    outdir: dist,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  });
  await writeFile(join(dist, 'cli.js'), standIn);
  return join(dist, 'main.js');
}
