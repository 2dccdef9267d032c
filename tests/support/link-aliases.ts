import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * What the kernel tells of the links in some namespaces: `device alias`, without the loopback. No alias is `undefined`.
 * @param enters argument arrays that are put in front, to look inside; empty for the caller's own
 */
export async function linkAliases(enters: readonly (readonly string[])[]): Promise<string[]> {
  const found = await Promise.all(
    enters.map(async (enter) => {
      const { stdout } = await run('env', [...enter, 'ip', '-json', 'link', 'show']);
      return JSON.parse(stdout) as { ifname: string; ifalias?: string; link_type: string }[];
    }),
  );
  return found
    .flat()
    .filter(({ link_type }) => link_type !== 'loopback')
    .map(({ ifname, ifalias }) => `${ifname} ${ifalias ?? 'undefined'}`);
}
