import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { capsuleCommand, type CapsuleKind } from '../../native-host/network/capsule.ts';

const programs = 'tests/integration/network/programs';

/**
 * Builds a test's programs, and what the network's code starts beside itself, into one directory.
 * @returns path of each by name
 */
export async function buildPrograms<Name extends string>(
  names: readonly Name[],
): Promise<Record<Name, string>> {
  // Below the checkout, so that packages are found.
  const outdir = join(import.meta.dirname, '../../dist/tests/network');
  await build({
    entryPoints: [...names.map((name) => `${programs}/${name}.ts`), 'native-host/probe-worker.ts'],
    entryNames: '[name]',
    outdir,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  });
  const paths = names.map((name) => [name, join(outdir, `${name}.js`)]);
  return Object.fromEntries(paths) as Record<Name, string>;
}

/** Runs a program in a capsule to its end. @returns what it printed, as JSON @throws with its complaints */
export async function runInCapsule(
  kind: CapsuleKind,
  program: string,
  argument: unknown,
  wrapper: readonly string[] = [],
): Promise<unknown> {
  const asRoot = wrapper.length === 0 && process.getuid?.() === 0;
  const command = capsuleCommand(kind, asRoot, [process.execPath, program, JSON.stringify(argument)]);
  return await outputOf([...wrapper, ...command]);
}

/** Runs a program that makes a host of its own (fake-host.ts), which takes the real root. As {@link runInCapsule}. */
export async function runOnFakeHost(program: string, argument: unknown): Promise<unknown> {
  const command = capsuleCommand('lab', true, [process.execPath, program, JSON.stringify(argument)]);
  return await outputOf(command);
}

async function outputOf([program = '', ...args]: readonly string[]): Promise<unknown> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  try {
    return JSON.parse(output);
  } catch {
    throw new Error(`${[program, ...args].join(' ')} failed:\n${output}${complaints}`);
  }
}
