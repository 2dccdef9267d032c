import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** See guardian.ts. */
export interface Guardian {
  /** Has it take back what the run has left, and waits for that. For a run whose engine has ended. */
  release(): Promise<void>;
}

/**
 * Starts the guardian of a run that this process owns. It must be there before anything is made that it guards.
 * @param file the bundled guardian
 * @param enginePid process id of the run's engine
 */
export async function startGuardian(file: string, runId: string, enginePid: number): Promise<Guardian> {
  const child = spawn(process.execPath, [file, runId, String(enginePid)], {
    cwd: '/',
    // Nobody waits for what it says: what it could not do, the next start does.
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.stdin.on('error', () => undefined);
  await once(child, 'spawn');
  return {
    async release() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.stdin.end();
      await gone;
    },
  };
}
