import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { readRecord } from '../../shared/record/read-record.ts';
import type { ComparisonRecord } from '../../shared/record/record.ts';

/** The built command. Tests and benchmarks run from the root of the checkout. */
const towlineCommand = 'bin/towline';

export interface Ended {
  /** The exit status; -1 when a signal ended it. */
  status: number;
  stdout: string;
  stderr: string;
}

export interface Started {
  process: ChildProcessByStdio<null, Readable, Readable>;
  ended: Promise<Ended>;
  /** Resolves when this has been printed on standard error. @throws when the command ends without it */
  heard(pattern: RegExp): Promise<void>;
}

/** Starts `towline` with these arguments, behind an optional wrapper such as `unshare --mount --`. */
export function startTowline(
  args: readonly string[],
  {
    environment = {},
    wrapper = [],
  }: { environment?: Record<string, string>; wrapper?: readonly string[] } = {},
): Started {
  const [program = towlineCommand, ...rest] = [...wrapper, towlineCommand, ...args];
  const child = spawn(program, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  let stdout = '';
  let stderr = '';
  const listeners = new Set<() => void>();
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => {
    stderr += data.toString();
    for (const listener of listeners) listener();
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ status: code ?? -1, stdout, stderr });
    });
  });
  const heard = (pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const listen = (): void => {
        if (pattern.test(stderr)) resolve();
      };
      listeners.add(listen);
      listen();
      ended.then(() => {
        reject(new Error(`towline ended without saying ${pattern.source}:\n${stderr}`));
      }, reject);
    });
  return { process: child, ended, heard };
}

/** Runs `towline` to its end. */
export async function towline(
  args: readonly string[],
  options: { environment?: Record<string, string>; wrapper?: readonly string[] } = {},
): Promise<Ended> {
  return await startTowline(args, options).ended;
}

/** Runs `towline compare` and gives the record it wrote. @throws when there is none */
export async function compareAndRead(
  args: readonly string[],
): Promise<{ status: number; record: ComparisonRecord; stdout: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'compare-'));
  try {
    const file = join(directory, 'record.json');
    const { status, stdout, stderr } = await towline(['compare', ...args, '--json', file]);
    const text = await readFile(file, 'utf8').catch(() => {
      throw new Error(`towline compare ${args.join(' ')} ended with ${status} and no record:\n${stderr}`);
    });
    return { status, record: readRecord(text, file), stdout };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
