import { TowlineError } from '../../shared/errors/towline-error.ts';
import type { Shape } from '../../shared/record/path.ts';
import { holdAnyBlock } from './address-block.ts';
import { addressPlan, exitLink } from './address-plan.ts';
import type { UplinkKind } from './choose-network.ts';
import { setNameLookup, type Capsule } from './enter-capsule.ts';
import { changeHost, cleanUpDeadRuns, undoHostChanges } from './host-changes.ts';
import { forwardingNeeds } from './host-forwarding.ts';
import { basename } from 'node:path';
import { addVeth, type LinkEnd } from './links.ts';
import { dropStraysCommands, holdMasquerade } from './masquerade.ts';
import { measureTrialNetwork } from './measure-trial-network.ts';
import {
  addNamespace,
  deleteCommand,
  deleteNamespace,
  letForward,
  nameMainNamespace,
  namespaceNamed,
  type Namespace,
} from './namespaces.ts';
import type { NetworkPath } from './network-path.ts';
import { tryIpBatch } from './run-tool.ts';
import { openHostPath } from './open-host-path.ts';
import { defaultRoute } from './route-table.ts';
import { endOfTheRoad, linkEnd, openTrialNetwork, type LinkOwner } from './trial-network.ts';

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
  const main: Namespace = { name: 'main', enter: [] };
  const last = namespaceNamed(shape === null ? 'edge' : 'out');
  const { outer, inner } = exitEnds({ block, name: basename(capsule.scratch) }, main, last);
  // The link is the host's too, and its name the block's: it must be gone before another run may have the block.
  const takeDown = [['link', 'delete', outer.device], deleteCommand(last), deleteCommand(main)];
  undo.push(() => tryIpBatch([], takeDown));
  const [uplink] = await allAtOnce([defaultRoute(), nameMainNamespace()]);
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
  const { mtuBytes } = uplink;
  const host = await forwardingNeeds(outer.device, uplink.device);
  const ipv6 = uplink.ipv6 && (kind === 'rootless' || host.ipv6);
  const more = kind === 'rootless' ? dropStraysCommands(plan) : [];
  const nameservers = capsule.resolvers.filter((address) => ipv6 || !address.includes(':'));
  if (kind === 'root') undo.push(() => undoHostChanges(block));
  const joined = async () => {
    await addVeth(outer, inner, mtuBytes, {
      makeInner: 'router',
      outer: routesBy(inner, plan.trials4, plan.trials6),
      inner: [...routesBy(outer, '0.0.0.0/0', '::/0'), ...(shape === null ? endOfTheRoad(plan) : [])],
    });
    const edge = shape === null ? last : await namespaceFor('edge', undo);
    const [network] = await allAtOnce([
      openTrialNetwork({
        ...{ block, edge, far: last, shape, mtuBytes, ipv6, scratch: capsule.scratch },
      }).then((opened) => {
        undo.push(() => opened.close());
        return opened;
      }),
      kind === 'root' ? changeHost(runId, block, host.settings) : null,
    ]);
    return network;
  };
  const [network] = await allAtOnce([
    joined(),
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

/** The link between the way out and the last namespace of ours. */
function exitEnds(run: LinkOwner, main: Namespace, last: Namespace): { outer: LinkEnd; inner: LinkEnd } {
  const addresses = exitLink(addressPlan(run.block));
  return {
    outer: { ...linkEnd(run, addresses, 34, 'outer', 'in'), namespace: main },
    inner: { ...linkEnd(run, addresses, 34, 'inner', 'out'), namespace: last },
  };
}

function routesBy(via: LinkEnd, to4: string, to6: string): string[][] {
  return [
    ['route', 'replace', to4, 'via', via.v4],
    ['route', 'replace', to6, 'via', via.v6],
  ];
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
