import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What a run could leave on a machine, as text lines that can be compared before and after. */
export async function machineState(): Promise<string[]> {
  const lines = async (program: string, args: string[]): Promise<string[]> =>
    (await run(program, args)).stdout.split('\n').filter((line) => line !== '');
  const names = async (directory: string): Promise<string[]> =>
    (await readdir(directory)).filter((name) => /towline|puppeteer|chromium/i.test(name));
  return [
    ...(await lines('ip', ['netns', 'list'])),
    ...(await lines('ip', ['-o', 'link', 'show'])).map((line) => line.replace(/^\d+: /, '')),
    ...(await lines('ip', ['-4', 'route', 'show', 'table', 'all'])),
    ...(await lines('tc', ['qdisc', 'show'])),
    ...(await lines('nft', ['list', 'tables'])),
    ...(await names(tmpdir())).map((name) => `${tmpdir()}/${name}`),
    ...(await names('/dev/shm')).map((name) => `/dev/shm/${name}`),
    ...(await measuringProcesses()),
  ];
}

/** Browsers, servers, guests and workers that runs start, by their command lines. */
async function measuringProcesses(): Promise<string[]> {
  const { stdout } = await run('ps', ['-eo', 'pid=,args=']);
  return stdout
    .split('\n')
    .filter((line) =>
      /trial-worker\.js|engine\.js|--remote-debugging-(pipe|port)|linux\.uml|probe-worker\.js/.test(line),
    )
    .filter((line) => !/ps -eo|vitest/.test(line))
    .map((line) => line.trim());
}

/** Waits until nothing is left that was not there before. @returns what is, after the time is over */
export async function leftovers(before: readonly string[], withinMs = 10_000): Promise<string[]> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const left = (await machineState()).filter((line) => !before.includes(line));
    if (left.length === 0 || Date.now() > deadline) return left;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
