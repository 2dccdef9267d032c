import { measureTrialNetwork } from '../native-host/network/measure-trial-network.ts';
import type { Namespace } from '../native-host/network/namespaces.ts';
import type { NetworkPath } from '../native-host/network/network-path.ts';
import type { TrialNetwork } from '../native-host/network/trial-network.ts';
import type { Shape } from '../shared/record/path.ts';

const where = {
  namespace: 'The network is shaped by a router in a namespace of this machine.',
  'user-mode-linux':
    'The network is shaped by a router in a User-Mode Linux guest, since this kernel has no netem.',
} as const;

/** The network between the trials and the lab's servers. @param far where the servers are */
export function labPath(
  network: TrialNetwork,
  far: Namespace,
  { shape, close }: { shape: Shape | null; close: () => Promise<void> },
): NetworkPath {
  const router = network.router?.kind ?? null;
  return {
    kind: 'lab',
    router,
    notes: [
      'Browser, router and server run on this machine, each in a network namespace of its own.',
      router === null ? 'The network is not shaped.' : where[router],
    ],
    openTrial: () => network.openTrial(),
    measure: (options) => measureTrialNetwork(network, far, shape, options),
    close,
  };
}
