import { cpus, release, totalmem } from 'node:os';
import { readFile } from 'node:fs/promises';
import type { Environment } from '../../shared/record/record.ts';

/** The machine, as far as a reader of the record needs to know it: nothing that names person or machine. */
export async function readEnvironment(
  towlineVersion: string,
  browser: Environment['browser'],
): Promise<Environment> {
  const cores = cpus();
  const osRelease = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return {
    towlineVersion,
    os: /^PRETTY_NAME="?([^"\n]+)"?$/m.exec(osRelease)?.[1] ?? process.platform,
    kernel: release(),
    architecture: process.arch,
    cpu: cores[0]?.model.trim() ?? 'unknown',
    cpuCores: cores.length,
    memoryBytes: totalmem(),
    node: process.versions.node,
    browser,
  };
}
