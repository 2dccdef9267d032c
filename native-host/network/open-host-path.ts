import type { NetworkPath } from './network-path.ts';
import { routeTo } from './route-table.ts';
import { addressesOf, isThisMachine } from './this-machine.ts';

/** The host's own network, as it is: no namespace, and the capture on the interface that leads to the page. */
export async function openHostPath(targetHost: string): Promise<NetworkPath> {
  const addresses = await addressesOf(targetHost);
  const local = addresses.some((address) => isThisMachine(address));
  const routes = (await Promise.all(addresses.map((address) => routeTo(address)))).filter(
    (route) => route !== null,
  );
  const captureInterface = local ? 'lo' : (routes[0]?.device ?? (await routeTo('192.0.2.1'))?.device ?? 'lo');
  const clientAddresses = [...new Set(routes.map(({ source }) => source))];
  return {
    kind: 'none',
    router: null,
    notes: [
      `Trials ran on the host's own network, captured on ${captureInterface}; other programs' traffic is on it too.`,
      'Names are looked up as the host does it: where a service of its own answers, that is not in the capture.',
    ],
    openTrial: () =>
      Promise.resolve({ enter: [], captureInterface, clientAddresses, close: () => Promise.resolve() }),
    measure: () => Promise.resolve(null),
    close: () => Promise.resolve(),
  };
}
