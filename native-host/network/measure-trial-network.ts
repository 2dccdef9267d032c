import { isIPv6 } from 'node:net';
import type { Family, PathMeasurement, Shape } from '../../shared/record/path.ts';
import { measurePath } from './measure-path.ts';
import type { Namespace } from './namespaces.ts';
import type { TrialNetwork } from './trial-network.ts';

export interface MeasureOptions {
  /** See {@link measurePath}. */
  queue?: boolean | undefined;
  /** Which to measure; those that the network has, when left out. */
  families?: readonly Family[] | undefined;
  /** See {@link measurePath}. */
  afterLoads?: boolean | undefined;
}

/** Measures a network between its far end and a trial namespace that is made for it. See {@link measurePath}. */
export async function measureTrialNetwork(
  network: TrialNetwork,
  far: Namespace,
  shape: Shape | null,
  { queue = false, families = ['IPv4', 'IPv6'], afterLoads = false }: MeasureOptions = {},
): Promise<PathMeasurement> {
  const trial = await network.openTrial();
  try {
    const wanted = (addresses: readonly string[]) =>
      addresses.filter((address) => families.includes(isIPv6(address) ? 'IPv6' : 'IPv4'));
    const near = { enter: trial.enter, addresses: wanted(trial.clientAddresses) };
    const away = { enter: far.enter, addresses: wanted(network.farAddresses) };
    return await measurePath(near, away, shape, { queue, afterLoads });
  } finally {
    await trial.close();
  }
}
