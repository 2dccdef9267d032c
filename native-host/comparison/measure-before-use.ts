import type { PathMeasurement } from '../../shared/record/path.ts';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import type { NetworkPath } from '../network/network-path.ts';

/** A probe can be disturbed by a passing load of this machine, so it gets this many tries. */
const tries = 3;

/**
 * Measures a shaped path before it is used.
 * @throws TowlineError `path-not-as-asked` with both numbers, when it is outside METHOD's limits every time
 */
export async function measureBeforeUse(
  path: NetworkPath,
): Promise<{ measured: PathMeasurement | null; notes: string[] }> {
  const notes: string[] = [];
  for (let attempt = 1; ; attempt++) {
    const measured = await path.measure();
    if (measured === null || measured.deviations.length === 0) return { measured, notes };
    const deviations = measured.deviations.join('; ');
    if (attempt === tries) {
      throw new TowlineError('path-not-as-asked', 'network', `The network is not as asked: ${deviations}.`, {
        remedy:
          'Ask for values this machine can hold, or let it do less beside the measurement, and try again.',
      });
    }
    notes.push(`Measurement ${attempt} of the path was outside the limits (${deviations}) and was repeated.`);
  }
}
