import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Everything that a run could leave on a host that a test has for itself, as lines that can be compared. */
export async function hostState(directories: readonly string[]): Promise<string[]> {
  const asked = [
    ['ip', 'netns', 'list'],
    ['ip', '-o', 'link'],
    ['ip', '-o', 'address'],
    ['ip', 'route', 'show', 'table', 'all'],
    ['ip', '-6', 'route', 'show', 'table', 'all'],
    ['ip', 'rule'],
    ['ip', 'neigh', 'show', 'nud', 'permanent'],
    ['tc', 'qdisc', 'show'],
    ['nft', 'list', 'ruleset'],
    ['sysctl', '--all', '--pattern', String.raw`^net\.ipv[46]\.`],
  ] as const;
  const answers = await Promise.all(
    asked.map(async ([program, ...args]) => {
      const { stdout } = await run(program, args, { maxBuffer: 16 * 1024 * 1024 });
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => `${program} ${args[0]}: ${line}`);
    }),
  );
  const files = await Promise.all(directories.map((directory) => filesBelow(directory)));
  return [...answers.flat(), ...files.flat(), ...(await processes())];
}

/** What is in one state and not in the other, either way. */
export function differences(before: readonly string[], after: readonly string[]): string[] {
  return [
    ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
    ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
  ];
}

async function filesBelow(directory: string): Promise<string[]> {
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  return names.map((name) => `file ${join(directory, name)}`);
}

/** All that this process namespace holds, but for what is only waiting to be reaped and what looks on. */
async function processes(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map(async (pid) => {
      const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return words === '' ? [] : [`process ${pid} ${words.replaceAll('\0', ' ').slice(0, 300)}`];
    }),
  );
  const looking = /^process \d+ (ip|tc|nft|sysctl|\S*\/(ip|tc|nft|sysctl)) /;
  return lines.flat().filter((line) => !looking.test(line));
}
