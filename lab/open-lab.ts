import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serverAddresses } from '../native-host/network/address-plan.ts';
import { setNameLookup, type Capsule } from '../native-host/network/enter-capsule.ts';
import { requireTools } from '../native-host/network/find-tool.ts';
import { measurePath } from '../native-host/network/measure-path.ts';
import {
  addNamespace,
  deleteNamespace,
  letForward,
  nameMainNamespace,
} from '../native-host/network/namespaces.ts';
import type { NetworkPath } from '../native-host/network/network-path.ts';
import { runIpBatch } from '../native-host/network/run-tool.ts';
import { openTrialNetwork, type TrialNetwork } from '../native-host/network/trial-network.ts';
import type { Shape } from '../shared/record/path.ts';
import { buildPage } from './pages/build-page.ts';
import { pageModels, type PageName } from './pages/page-models.ts';
import { makeCertificates } from './servers/certificates.ts';
import { startCaddy, type RunningServer } from './servers/start-caddy.ts';

/** A page on servers of ours, behind a network of ours. */
export interface Lab {
  readonly path: NetworkPath;
  readonly url: string;
  /** host:port of every origin; all speak HTTP/1.1, 2 and 3. */
  readonly origins: readonly string[];
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
  close(): Promise<void>;
}

export interface LabOptions {
  page: PageName;
  /** Null for a network as fast as the machine: then there is no router either. */
  shape: Shape | null;
  /** Of kind `lab`, entered by this process. */
  capsule: Capsule;
}

/** Under .test, which no resolver of the world answers (RFC 6761). */
export const labName = 'lab.towline.test';

/** A lab has a network for itself, so the block is always the same. */
const labBlock = 0;
const mtuBytes = 1500;

/** Makes page, certificate, network and server inside the capsule. */
export async function openLab({ page, shape, capsule }: LabOptions): Promise<Lab> {
  requireTools(['ip', 'ethtool', 'nsenter', 'sysctl'], "lay the lab's network");
  requireTools(['caddy', 'openssl'], "run the lab's servers", 'server-missing', 'lab');
  const main = await nameMainNamespace();
  const far = await addNamespace('server', 'host');
  let network: TrialNetwork | null = null;
  let server: RunningServer | null = null;
  try {
    await runIpBatch([], [['link', 'set', 'lo', 'up']]);
    await letForward(main);
    const scratch = capsule.scratch;
    network = await openTrialNetwork({
      ...{ block: labBlock, edge: main, far },
      ...{ shape, mtuBytes, ipv6: true, scratch },
    });
    const address = serverAddresses(network.plan, 0);
    await runIpBatch(far.enter, [
      ['address', 'add', `${address.v4}/32`, 'dev', 'lo'],
      ['address', 'add', `${address.v6}/128`, 'dev', 'lo', 'nodad'],
    ]);
    await setNameLookup(capsule, {
      hosts: [[address.v4, labName]],
      // Nobody listens there: what a browser asks of the world is refused at once, and seen in the capture.
      nameservers: ['127.0.0.1'],
    });

    const root = join(scratch, 'site');
    const bytes = await writePage(root, page);
    const certificates = await makeCertificates(join(scratch, 'certificates'), [labName]);
    server = await startCaddy(scratch, far.enter, {
      ...{ names: [labName], port: 443, addresses: [address.v4, address.v6], certificates, root },
    });

    const running = { network, server };
    const close = async () => {
      await running.server.close();
      await running.network.close();
      await deleteNamespace(far);
    };
    return {
      path: labPath(network, { enter: far.enter, address: address.v4 }, shape, close),
      url: `https://${labName}/${page}/`,
      origins: [`${labName}:443`],
      spki: certificates.spki,
      caPath: certificates.caPath,
      server: server.name,
      resources: pageModels[page].resources,
      bytes,
      close,
    };
  } catch (error) {
    await server?.close();
    await network?.close();
    await deleteNamespace(far);
    throw error;
  }
}

/** @returns sum of the bodies, bytes */
async function writePage(root: string, page: PageName): Promise<number> {
  const directory = join(root, page);
  await mkdir(directory, { recursive: true });
  const files = buildPage(page);
  await Promise.all(files.map(({ name, body }) => writeFile(join(directory, name), body)));
  return files.reduce((sum, { body }) => sum + body.length, 0);
}

function labPath(
  network: TrialNetwork,
  far: { enter: readonly string[]; address: string },
  shape: Shape | null,
  close: () => Promise<void>,
): NetworkPath {
  const router = network.router?.kind ?? null;
  const where = {
    namespace: 'The network is shaped by a router in a namespace of this machine.',
    'user-mode-linux':
      'The network is shaped by a router in a User-Mode Linux guest, since this kernel has no netem.',
  };
  return {
    kind: 'lab',
    router,
    notes: [
      'Browser, router and server run on this machine, each in a network namespace of its own.',
      router === null ? 'The network is not shaped.' : where[router],
    ],
    openTrial: () => network.openTrial(),
    async measure() {
      const trial = await network.openTrial();
      try {
        const [address = ''] = trial.clientAddresses;
        return await measurePath({ enter: trial.enter, address }, far, shape);
      } finally {
        await trial.close();
      }
    },
    close,
  };
}
