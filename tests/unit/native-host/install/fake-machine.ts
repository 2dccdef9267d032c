import type { Machine } from '../../../../native-host/install/machine.ts';

/** A machine of an ordinary user on which everything is there and works, but for what is said otherwise. */
export function fakeMachine(otherwise: Partial<Machine> = {}): Machine {
  return {
    isRoot: false,
    nodeVersion: '22.1.0',
    find: (program) => `/usr/bin/${program}`,
    run: () => Promise.resolve({ status: 0, stdout: '', stderr: '' }),
    read: () => null,
    modeOf: () => 0o666,
    mayUse: () => true,
    loadCaptureAddon: () => Promise.resolve(null),
    hasNetem: () => Promise.resolve(true),
    ...otherwise,
  };
}
