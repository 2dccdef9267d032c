import type { Phases, Resource } from '../../shared/record/trial.ts';

/** A request of which no phase is known. */
export const noPhases: Phases = {
  blockedMs: null,
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
  sendMs: null,
  waitMs: null,
  receiveMs: null,
};

/** Each phase summed over the requests that went through it; null where none did. */
export function sumPhases(resources: readonly Resource[]): Phases {
  const sum = { ...noPhases };
  for (const { phases } of resources) {
    for (const phase of Object.keys(sum) as (keyof Phases)[]) {
      const spent = phases[phase];
      if (spent !== null) sum[phase] = (sum[phase] ?? 0) + spent;
    }
  }
  return sum;
}
