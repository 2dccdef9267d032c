import { chmod, cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runTool } from '../../native-host/network/run-tool.ts';
import { trustInHome } from './test-servers.ts';

/** A person without any rights, on a host that is a test's own. */
export interface OrdinaryUser {
  home: string;
  /** Put in front of an argument array to run it as that person, without groups or capabilities. */
  become: readonly string[];
  /** What a log-in would set. */
  environment: Record<string, string>;
  /** Hands a file or directory, with all in it, to that person. */
  give(path: string): Promise<void>;
}

const name = 'towline-person';

/**
 * What the person sees of the test's files. Neither below /run nor below a home directory, which the product's own
 * capsule and the machine's permissions would hide.
 */
const place = '/mnt';

/**
 * Makes a user by useradd(8), in a copy of /etc that only this mount namespace sees: the machine never has that
 * user, so there is nobody to remove. The user gets the checkout as it is, wherever that lies.
 *
 * @param checkout the root of the checkout, built
 * @param trustedCa PEM file of an authority that the user's browsers trust
 */
export async function makeOrdinaryUser(
  staging: string,
  checkout: string,
  trustedCa: string,
): Promise<OrdinaryUser> {
  const own = join(staging, 'person');
  await mkdir(own, { mode: 0o755 });
  await runTool(['cp', '--archive', '/etc', own]);
  await runTool(['mount', '--rbind', join(own, 'etc'), '/etc']);

  for (const directory of ['bin', 'dist', 'node_modules']) {
    await runTool(['mkdir', '-p', join(own, 'towline', directory)]);
    await runTool(['mount', '--rbind', join(checkout, directory), join(own, 'towline', directory)]);
  }
  await cp(join(checkout, 'package.json'), join(own, 'towline/package.json'));
  // The Node.js of this run, which may lie in a directory that is closed to others.
  const node = join(own, 'programs/node');
  await mkdir(dirname(node));
  await writeFile(node, '');
  await runTool(['mount', '--bind', process.execPath, node]);
  await runTool(['mount', '--rbind', own, place]);

  const home = join(place, 'home');
  await runTool(['useradd', '--no-log-init', '--home-dir', home, '--shell', '/bin/sh', name]);
  await trustInHome(home, trustedCa);
  await chmod(home, 0o700);
  const give = async (path: string): Promise<void> => {
    await runTool(['chown', '-R', `${name}:`, path]);
  };
  await give(home);
  return {
    home,
    become: ['setpriv', '--reuid', name, '--regid', name, '--init-groups', '--inh-caps=-all', '--'],
    environment: {
      HOME: home,
      USER: name,
      LOGNAME: name,
      PATH: `${place}/towline/bin:${place}/programs:/usr/bin:/bin`,
    },
    give,
  };
}
