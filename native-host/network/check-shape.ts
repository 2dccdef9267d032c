import type { Path, PathMeasurement, Shape } from '../../shared/record/path.ts';
import type { Capsule } from './enter-capsule.ts';
import { requireTools } from './find-tool.ts';
import { measurePath } from './measure-path.ts';
import { addNamespace, deleteNamespace, letForward, nameMainNamespace } from './namespaces.ts';
import { openTrialNetwork } from './trial-network.ts';

/** A network that was made, measured and taken down again. */
export interface CheckedShape {
  asked: Shape;
  router: Path['router'];
  measured: PathMeasurement;
}

/** Makes a network of this shape with nothing in it, and measures it. In a capsule of kind `lab`. */
export async function checkShape(shape: Shape, capsule: Capsule): Promise<CheckedShape> {
  requireTools(['ip', 'tc', 'ethtool', 'nsenter', 'sysctl'], 'make a network');
  const edge = await nameMainNamespace();
  await letForward(edge);
  const far = await addNamespace('far', 'host');
  const { scratch } = capsule;
  const network = await openTrialNetwork({ block: 0, edge, far, shape, mtuBytes: 1500, ipv6: true, scratch });
  try {
    const trial = await network.openTrial();
    const [address = ''] = trial.clientAddresses;
    const near = { enter: trial.enter, address };
    const measured = await measurePath(near, { enter: far.enter, address: network.farAddress }, shape);
    return { asked: shape, router: network.router?.kind ?? null, measured };
  } finally {
    await network.close();
    await deleteNamespace(far);
  }
}
