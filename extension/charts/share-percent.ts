import type { Phases } from '../../shared/record/trial.ts';
import { phaseOrder } from './names.ts';

/** A phase as percent of the sum of those that are known; null where it is not, or where none took any time. */
export function sharePercent(phases: Phases, phase: keyof Phases): number | null {
  const whole = phaseOrder.reduce((sum, each) => sum + (phases[each] ?? 0), 0);
  const ms = phases[phase];
  return ms === null || whole === 0 ? null : (100 * ms) / whole;
}
