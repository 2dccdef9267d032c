import { spawn } from 'node:child_process';
import type { ErrorCode } from '../../shared/errors/error-codes.ts';
import { TowlineError, type Stage } from '../../shared/errors/towline-error.ts';
import { requireTools, toolPath } from './find-tool.ts';

/** What a program that was run to its end left. */
export interface ToolResult {
  /** Exit status; null when a signal ended it. */
  status: number | null;
  stdout: string;
  stderr: string;
}

export interface ToolOptions {
  /** Given to the program as its standard input. */
  input?: string;
  /** Descriptors of ours that the program inherits, as its 3, 4, ... */
  descriptors?: readonly number[];
  /** Environment variables on top of ours. */
  env?: Readonly<Record<string, string>>;
  /** Ended by SIGKILL after so long, ms. */
  timeoutMs?: number;
  /** What it means when the program is missing or fails; by default, that there can be no namespace. */
  failure?: { code: ErrorCode; stage: Stage };
}

const defaultFailure = { code: 'namespace-unavailable', stage: 'network' } as const;

/** Runs a program to its end and tells how it went. @throws TowlineError only when it cannot be started */
export async function tryTool(argv: readonly string[], options: ToolOptions = {}): Promise<ToolResult> {
  const [program = '', ...args] = argv;
  const { code, stage } = options.failure ?? defaultFailure;
  requireTools([program], 'go on', code, stage);
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'pipe', ...(options.descriptors ?? [])],
      env: { ...process.env, ...options.env, PATH: toolPath(), LC_ALL: 'C' },
      timeout: options.timeoutMs ?? 30_000,
      killSignal: 'SIGKILL',
    });
    let stdout = '';
    let stderr = '';
    child.stdout?.on('data', (data: Buffer) => (stdout += data.toString()));
    child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
    child.on('error', (cause) => {
      reject(new TowlineError(code, stage, `${program} could not be started.`, { cause }));
    });
    child.on('close', (status) => {
      resolve({ status, stdout, stderr });
    });
    // A program that does not read its input closes it; its exit status says what there is to say.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input ?? '');
  });
}

/**
 * Runs a program that must succeed.
 * @returns its standard output
 * @throws TowlineError with the program's own words
 */
export async function runTool(argv: readonly string[], options: ToolOptions = {}): Promise<string> {
  const { status, stdout, stderr } = await tryTool(argv, options);
  if (status === 0) return stdout;
  const { code, stage } = options.failure ?? defaultFailure;
  throw new TowlineError(
    code,
    stage,
    `"${argv.join(' ')}" failed (${status ?? 'killed'}): ${stderr.trim() || stdout.trim() || 'it gave no reason'}.`,
    { remedy: 'towline doctor' },
  );
}

/**
 * Runs many `ip` commands in one process, which is what makes a namespace in a few milliseconds.
 * @param enter argument array that is put in front, to run them inside a namespace
 * @param commands one argument array each, without the leading `ip`; no argument may hold white space
 * @param family where the addresses do not tell it, as they do not to `rule`
 */
export async function runIpBatch(
  enter: readonly string[],
  commands: readonly (readonly string[])[],
  family?: '-4' | '-6',
): Promise<void> {
  await runTool([...enter, 'ip', ...(family === undefined ? [] : [family]), '-batch', '-'], {
    input: batchOf(commands),
  });
}

/** Runs `ip` commands that take away, all of them, whatever is already gone. As {@link runIpBatch}; never throws. */
export async function tryIpBatch(
  enter: readonly string[],
  commands: readonly (readonly string[])[],
): Promise<void> {
  await tryTool([...enter, 'ip', '-force', '-batch', '-'], { input: batchOf(commands) });
}

function batchOf(commands: readonly (readonly string[])[]): string {
  return commands.map((command) => `${command.join(' ')}\n`).join('');
}
