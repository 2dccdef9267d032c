import { TowlineError } from '../../shared/errors/towline-error.ts';
import type { Shape } from '../../shared/record/path.ts';
import { holdAnyBlock } from './address-block.ts';
import { addressPlan, exitLink } from './address-plan.ts';
import type { UplinkKind } from './choose-network.ts';
import { setNameLookup, type Capsule } from './enter-capsule.ts';
import { changeHost, cleanUpDeadRuns, undoHostChanges } from './host-changes.ts';
import { forwardingNeeds } from './host-forwarding.ts';
import { addVeth, deleteLink } from './links.ts';
import { dropStraysCommands, holdMasquerade } from './masquerade.ts';
import { measureTrialNetwork } from './measure-trial-network.ts';
import {
  addNamespace,
  deleteNamespace,
  letForward,
  nameMainNamespace,
  type Namespace,
} from './namespaces.ts';
import type { NetworkPath } from './network-path.ts';
import { openHostPath } from './open-host-path.ts';
import { defaultRoute, type DefaultRoute } from './route-table.ts';
import { runIpBatch } from './run-tool.ts';
import { linkEnd, openTrialNetwork } from './trial-network.ts';

export interface UplinkOptions {
  /** Named in what is written down of changes to the host. */
  runId: string;
  /** As chosen by chooseNetwork; the process stands in a capsule of that kind. */
  kind: UplinkKind;
  /** Host name or address of the page, as in its URL. */
  targetHost: string;
  /** Added to what the real network does; null to add nothing. */
  shape: Shape | null;
  capsule: Capsule;
}

/** Several of these steps leave something behind that a later failure must take back; none waits for another. */
type Undo = () => Promise<void>;

/**
 * Opens the way from trial namespaces to a live site:
 * trials -> edge [-> router -> out] -> the namespace that has the uplink, which masquerades.
 * @throws TowlineError
 */
export async function openUplinkPath(options: UplinkOptions): Promise<NetworkPath> {
  const { kind, targetHost, shape } = options;
  if (kind === 'none') {
    if (shape !== null) {
      throw new TowlineError(
        'shaping-unavailable',
        'network',
        "A network is shaped in a namespace of its own, never on the host's own interface, and there is none.",
        { remedy: 'Leave --shape out, or see towline doctor for what a namespace needs.' },
      );
    }
    return openHostPath(targetHost);
  }
  if (kind === 'root') await cleanUpDeadRuns();
  const held = await holdAnyBlock();
  const undo: Undo[] = [];
  const close = async () => {
    await Promise.all(undo.splice(0).map((step) => step()));
    // Only now may another run have these addresses, and take this one for dead.
    await held.release();
  };
  try {
    return await openNamespacePath(kind, options, held.block, undo, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function openNamespacePath(
  kind: 'rootless' | 'root',
  { runId, shape, capsule }: UplinkOptions,
  block: number,
  undo: Undo[],
  close: () => Promise<void>,
): Promise<NetworkPath> {
  const uplink = await defaultRoute();
  if (uplink === null) {
    throw new TowlineError(
      'host-unreachable',
      'network',
      'This machine has no way to the internet by IPv4.',
      {
        remedy: 'Connect it, or measure in the lab: towline compare lab:youtube.',
      },
    );
  }
  const plan = addressPlan(block);
  const main = await nameMainNamespace();
  undo.push(() => deleteNamespace(main));
  const edge = await namespaceFor('edge', undo);
  const last = shape === null ? edge : await namespaceFor('out', undo);
  const { mtuBytes } = uplink;
  const ownDevice = await joinToMain(main, last, block, mtuBytes);
  undo.push(async () => {
    // The kernel has one lock for settings and links: first what is quick.
    if (kind === 'root') await undoHostChanges(block);
    await deleteLink(main, ownDevice);
  });
  const ipv6 = kind === 'rootless' ? uplink.ipv6 : await openHost(runId, block, ownDevice, uplink);
  const more = kind === 'rootless' ? dropStraysCommands(plan) : [];
  const nameservers = capsule.resolvers.filter((address) => ipv6 || !address.includes(':'));
  const [network] = await allAtOnce([
    openTrialNetwork({
      ...{ block, edge, far: last, shape, mtuBytes, ipv6, scratch: capsule.scratch },
    }).then((opened) => {
      undo.push(() => opened.close());
      return opened;
    }),
    holdMasquerade(plan, uplink.device, more).then((rules) => undo.push(() => rules.release())),
    kind === 'rootless' ? letForward(main) : null,
    setNameLookup(capsule, { hosts: [], nameservers }),
  ]);
  return {
    kind,
    router: network.router?.kind ?? null,
    notes: notesOn(kind, shape, ipv6),
    openTrial: () => network.openTrial(),
    measure: () => (shape === null ? Promise.resolve(null) : measureTrialNetwork(network, last, shape)),
    close,
  };
}

/** Fails with the first failure, but not before all have ended: what they made can then be taken back. */
async function allAtOnce<const T extends readonly unknown[]>(
  steps: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(steps);
  return await Promise.all(steps);
}

async function namespaceFor(name: string, undo: Undo[]): Promise<Namespace> {
  const namespace = await addNamespace(name, 'router');
  undo.push(() => deleteNamespace(namespace));
  return namespace;
}

/** @returns our interface in the main namespace */
async function joinToMain(
  main: Namespace,
  last: Namespace,
  block: number,
  mtuBytes: number,
): Promise<string> {
  const plan = addressPlan(block);
  const addresses = exitLink(plan);
  const outer = { ...linkEnd(block, addresses, 34, 'outer', 'in'), namespace: main };
  const inner = { ...linkEnd(block, addresses, 34, 'inner', 'out'), namespace: last };
  await addVeth(outer, inner, mtuBytes);
  const here = [
    ['route', 'replace', plan.trials4, 'via', inner.v4],
    ['route', 'replace', plan.trials6, 'via', inner.v6],
  ];
  const there = [
    ['route', 'replace', '0.0.0.0/0', 'via', outer.v4],
    ['route', 'replace', '::/0', 'via', outer.v6],
  ];
  await Promise.all([runIpBatch([], here), runIpBatch(last.enter, there)]);
  return outer.device;
}

/** Lets the host pass the run's packets on. @returns whether IPv6 too */
async function openHost(
  runId: string,
  block: number,
  ownDevice: string,
  uplink: DefaultRoute,
): Promise<boolean> {
  const { settings, ipv6 } = await forwardingNeeds(ownDevice, uplink.device);
  await changeHost(runId, block, settings);
  return ipv6 && uplink.ipv6;
}

function notesOn(kind: 'rootless' | 'root', shape: Shape | null, ipv6: boolean): string[] {
  return [
    kind === 'rootless'
      ? 'pasta relays TCP to sockets of the host: times of arrival hold, but retransmissions on the real path are not seen. UDP, so HTTP/3, is seen packet by packet.'
      : 'Packets are seen as on the wire, but for the address, which the host translates.',
    "Names are asked of the host's own resolvers, by packets from inside the path: they are captured too.",
    ...(ipv6 ? [] : ['Only IPv4 is on this path.']),
    ...(shape === null
      ? []
      : ['The shape is added to what the real network does, and was measured without it.']),
  ];
}
