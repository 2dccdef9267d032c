import type { Path, PathMeasurement, Shape } from '../../shared/record/path.ts';
import type { Capsule } from './enter-capsule.ts';
import { requireTools } from './find-tool.ts';
import { measureTrialNetwork, type MeasureOptions } from './measure-trial-network.ts';
import { addNamespace, deleteNamespace, letForward, nameMainNamespace } from './namespaces.ts';
import { openTrialNetwork } from './trial-network.ts';

/** A network that was made, measured and taken down again. */
export interface CheckedShape {
  asked: Shape;
  router: Path['router'];
  measured: PathMeasurement;
}

/** Makes a network of this shape with nothing in it, and measures it. In a capsule of kind `lab`. */
export async function checkShape(
  shape: Shape,
  options: MeasureOptions,
  capsule: Capsule,
): Promise<CheckedShape> {
  requireTools(['ip', 'tc', 'ethtool', 'nsenter', 'sysctl'], 'make a network');
  const edge = await nameMainNamespace();
  await letForward(edge);
  const far = await addNamespace('far', 'host');
  const { scratch } = capsule;
  const network = await openTrialNetwork({ block: 0, edge, far, shape, mtuBytes: 1500, ipv6: true, scratch });
  try {
    const measured = await measureTrialNetwork(network, far, shape, options);
    return { asked: shape, router: network.router?.kind ?? null, measured };
  } finally {
    await network.close();
    await deleteNamespace(far);
  }
}
