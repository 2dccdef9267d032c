import { join } from 'node:path';
import { setNameLookup, type Capsule } from '../native-host/network/enter-capsule.ts';
import { requireTools } from '../native-host/network/find-tool.ts';
import {
  addNamespace,
  deleteNamespace,
  letAnybodyListen,
  letForward,
  nameMainNamespace,
} from '../native-host/network/namespaces.ts';
import type { NetworkPath } from '../native-host/network/network-path.ts';
import { runIpBatch } from '../native-host/network/run-tool.ts';
import { requireCongestionControl } from '../native-host/network/tcp-route.ts';
import { openTrialNetwork, type TrialNetwork } from '../native-host/network/trial-network.ts';
import type { LabSetup } from '../shared/record/lab-setup.ts';
import type { Shape } from '../shared/record/path.ts';
import { changeRtt } from './change-rtt.ts';
import { labPath } from './lab-path.ts';
import { pageModels, type PageName } from './pages/page-models.ts';
import { writeSite } from './pages/write-site.ts';
import { makeCertificates } from './servers/certificates.ts';
import { addressServers, labBlock, labServers } from './servers/lab-servers.ts';
import type { RunningServer } from './servers/run-server.ts';
import { requireServer, startServer } from './servers/start-server.ts';

/** A page on servers of ours, behind a network of ours. */
export interface Lab {
  readonly path: NetworkPath;
  readonly url: string;
  /** The servers by name, the document's first; each is an origin of its own on port 443. */
  readonly servers: readonly { name: string; address: string }[];
  /** See {@link Certificates}. */
  readonly spki: string;
  /** PEM file of the private authority. */
  readonly caPath: string;
  /** Name and version of the server, for the record. */
  readonly server: string;
  /** Files of the page, the document too. */
  readonly resources: number;
  /** Sum of their bodies, bytes. */
  readonly bytes: number;
  /**
   * Gives a shaped network another round-trip time while it is in use, as paths of the world change theirs. Rates
   * and queues stay, and so do the packets on their way. Does nothing where the network is not shaped.
   */
  changeRtt(rttMs: number): Promise<void>;
  close(): Promise<void>;
}

export interface LabOptions {
  page: PageName;
  setup: LabSetup;
  /** Null for a network as fast as the machine: then there is no router either. */
  shape: Shape | null;
  /** Of kind `lab`, entered by this process. */
  capsule: Capsule;
}

const mtuBytes = 1500;

/** Makes page, certificate, network and servers inside the capsule. */
export async function openLab({ page, setup, shape, capsule }: LabOptions): Promise<Lab> {
  requireTools(['ip', 'ethtool', 'nsenter', 'sysctl'], "lay the lab's network");
  requireServer(setup.server);
  const { congestionControl } = setup;
  await requireCongestionControl(congestionControl);
  const main = await nameMainNamespace();
  const far = await addNamespace('server', 'host');
  let network: TrialNetwork | null = null;
  let server: RunningServer | null = null;
  try {
    await runIpBatch([], [['link', 'set', 'lo', 'up']]);
    await Promise.all([letForward(main), letAnybodyListen(far)]);
    const scratch = capsule.scratch;
    network = await openTrialNetwork({
      ...{ block: labBlock, edge: main, far },
      ...{ shape, mtuBytes, ipv6: true, scratch, congestionControl },
    });
    const servers = labServers(setup);
    const names = servers.map(({ name }) => name);
    await addressServers(far, network, servers, congestionControl);
    await setNameLookup(capsule, {
      hosts: servers.map(({ address, name }) => [address, name]),
      // Nobody listens there: what a browser asks of the world is refused at once, and seen in the capture.
      nameservers: ['127.0.0.1'],
    });

    const root = join(scratch, 'site');
    const bytes = await writeSite(root, [page], names);
    const certificates = await makeCertificates(join(scratch, 'certificates'), names);
    server = await startServer(setup, scratch, far.enter, { servers, certificates, root });

    const running = { network, server };
    const close = async () => {
      await running.server.close();
      await running.network.close();
      await deleteNamespace(far);
    };
    return {
      path: labPath(network, far, { shape, close }),
      url: `https://${names[0] ?? ''}/${page}/`,
      servers: servers.map(({ name, address }) => ({ name, address })),
      spki: certificates.spki,
      caPath: certificates.caPath,
      server: server.name,
      resources: pageModels[page].resources,
      bytes,
      changeRtt: (rttMs) => changeRtt(running.network, shape && { ...shape, rttMs }),
      close,
    };
  } catch (error) {
    await server?.close();
    await network?.close();
    await deleteNamespace(far);
    throw error;
  }
}
