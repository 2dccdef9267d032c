import { findTool } from '../network/find-tool.ts';
import type { TrialNamespace } from '../network/network-path.ts';

/** The kernel ends the program when the process that started it ends, however that happens. prctl(2). */
function diesWithParent(): string[] {
  // Chromium's driver takes only the path of a file for the program it starts.
  const setpriv = findTool('setpriv');
  return setpriv === null ? [] : [setpriv, '--pdeathsig', 'KILL', '--'];
}

/**
 * The argument array of a trial worker: inside the trial's network namespace, and inside process and mount
 * namespaces of its own, so that when the worker ends, whatever its browser left running ends with it. Outside of a
 * capsule the worker ends with the engine, and the browser with the worker.
 *
 * @param runId stands on its command line, so that the process list tells whose it is
 */
export function workerCommand(
  workerFile: string,
  runId: string,
  namespace: TrialNamespace,
  isolated: boolean,
): string[] {
  const ownProcesses = ['unshare', '--mount', '--pid', '--fork', '--kill-child=KILL', '--mount-proc', '--'];
  const bound = isolated ? ownProcesses : diesWithParent();
  return [...namespace.enter, ...bound, process.execPath, workerFile, runId];
}

/**
 * What is put in front of Chromium. Where a user namespace made us root, Chromium would refuse its sandbox, so
 * it gets a user namespace of its own in which it is an ordinary user. The real root has no such way out.
 */
export function browserPrivileges(
  realRoot: boolean,
  kind: 'lab' | 'rootless' | 'root' | 'none',
): { wrapper: string[]; withoutSandbox: boolean } {
  if (kind === 'none') return { wrapper: diesWithParent(), withoutSandbox: realRoot };
  if (realRoot) return { wrapper: [], withoutSandbox: true };
  return {
    wrapper: [findTool('unshare') ?? 'unshare', '--user', '--map-user=1000', '--map-group=1000', '--'],
    withoutSandbox: false,
  };
}
