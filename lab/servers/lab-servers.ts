import { isIPv6 } from 'node:net';
import { addressPlan, serverAddresses } from '../../native-host/network/address-plan.ts';
import type { Namespace } from '../../native-host/network/namespaces.ts';
import { runIpBatch } from '../../native-host/network/run-tool.ts';
import { tcpRoute } from '../../native-host/network/tcp-route.ts';
import type { TrialNetwork } from '../../native-host/network/trial-network.ts';
import type { LabSetup } from '../../shared/record/lab-setup.ts';
import type { ServedName } from './site.ts';

/** One server of a lab, on addresses of its own. */
export interface LabServer extends ServedName {
  /** The address its name is known by. */
  address: string;
  initialWindowPackets: number;
}

const port = 443;

/** A lab has a network for itself, so the block of addresses is always the same. */
export const labBlock = 0;

/**
 * The servers of a lab, the document's first. Their names are under .test, which no resolver of the world answers
 * (RFC 6761), and short, since a page of many files names them often.
 */
export function labServers(setup: LabSetup): LabServer[] {
  const plan = addressPlan(labBlock);
  return Array.from({ length: setup.shards }, (_, index) => {
    const { v4, v6: written } = serverAddresses(plan, index);
    const v6 = canonical(written);
    return {
      name: index === 0 ? 'lab.towline.test' : `s${index + 1}.towline.test`,
      port,
      addresses: [v4, v6],
      address: setup.ipVersion === 4 ? v4 : v6,
      initialWindowPackets: setup.initialWindowPackets[index % setup.initialWindowPackets.length] ?? 10,
    };
  });
}

/** An IPv6 address as everybody writes it (RFC 5952), so that it can be compared with what packets say. */
function canonical(v6: string): string {
  return new URL(`http://[${v6}]`).hostname.slice(1, -1);
}

/** Numbers of routing tables are free from 1 to 252: rt_tables(5). */
const firstTable = 100;

/**
 * Gives the servers their addresses, and each the routes to the browser that its own TCP is to follow: a table of
 * its own, taken by what is sent from its addresses (policy routing, ip-rule(8)), holds its initial window.
 */
export async function addressServers(
  far: Namespace,
  network: TrialNetwork,
  servers: readonly LabServer[],
  congestionControl: string,
): Promise<void> {
  const table = (index: number) => ['table', String(firstTable + index)];
  await runIpBatch(
    far.enter,
    servers.flatMap(({ addresses, initialWindowPackets }, index) => [
      ...addresses.map((address) => ['address', 'add', address, 'dev', 'lo', ...nodad(address)]),
      ...network.routesToTrials([...tcpRoute(initialWindowPackets, congestionControl), ...table(index)]),
    ]),
  );
  for (const family of ['-4', '-6'] as const) {
    const rules = servers.map(({ addresses }, index) => {
      const address = addresses.find((candidate) => isIPv6(candidate) === (family === '-6')) ?? '';
      return ['rule', 'add', 'from', address, ...table(index)];
    });
    await runIpBatch(far.enter, rules, family);
  }
}

/** Nobody else has the address, so there is nobody to ask. */
function nodad(address: string): string[] {
  return isIPv6(address) ? ['nodad'] : [];
}
