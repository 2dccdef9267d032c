import type { TrialNamespace } from '../network/network-path.ts';

/**
 * The argument array of a trial worker: inside the trial's network namespace, and inside process and mount
 * namespaces of its own, so that when the worker ends, whatever its browser left running ends with it.
 */
export function workerCommand(workerFile: string, namespace: TrialNamespace, isolated: boolean): string[] {
  const ownProcesses = ['unshare', '--mount', '--pid', '--fork', '--kill-child=KILL', '--mount-proc', '--'];
  return [...namespace.enter, ...(isolated ? ownProcesses : []), process.execPath, workerFile];
}

/**
 * What is put in front of Chromium. Where a user namespace made us root, Chromium would refuse its sandbox, so
 * it gets a user namespace of its own in which it is an ordinary user. The real root has no such way out.
 */
export function browserPrivileges(
  realRoot: boolean,
  kind: 'lab' | 'rootless' | 'root' | 'none',
): { wrapper: string[]; withoutSandbox: boolean } {
  if (realRoot) return { wrapper: [], withoutSandbox: true };
  if (kind === 'none') return { wrapper: [], withoutSandbox: false };
  return {
    wrapper: ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'],
    withoutSandbox: false,
  };
}
