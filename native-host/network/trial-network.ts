import { basename } from 'node:path';
import type { Shape } from '../../shared/record/path.ts';
import {
  addressPlan,
  edgeLink,
  farLink,
  trialAddresses,
  type AddressPlan,
  type LinkAddresses,
} from './address-plan.ts';
import { shapeTogether } from './apply-shape.ts';
import { hasNetem } from './has-netem.ts';
import { addVeth, linkMac, type LinkAddress } from './links.ts';
import { openNamespaceRouter, type RouterEnds } from './namespace-router.ts';
import { deleteCommand, namespaceNamed, type Namespace } from './namespaces.ts';
import type { TrialNamespace } from './network-path.ts';
import type { Router } from './router.ts';
import { runIpBatch, tryIpBatch } from './run-tool.ts';
import { routerDevices } from './shape-commands.ts';
import { defaultCongestionControl, defaultInitialWindow, tcpRoute } from './tcp-route.ts';
import { openUmlRouter } from './uml-router.ts';

export interface TrialNetworkOptions {
  /** Address block of the run. */
  block: number;
  /** Where the trials' links end. */
  edge: Namespace;
  /**
   * Behind the router: the servers, or the way out. May be the edge itself where nothing is shaped; whoever makes it
   * then gives it the routes of {@link endOfTheRoad}, too.
   */
  far: Namespace;
  shape: Shape | null;
  mtuBytes: number;
  /** False where the far end has no way to the IPv6 world. */
  ipv6: boolean;
  /** For the router's own files. The directory's name is the run's: every link is given it too. */
  scratch: string;
  /** Of both ends, by Linux' name for it. */
  congestionControl?: string;
}

/** The links of one run: trials -> edge -> router -> far end, routed, never bridged. */
export interface TrialNetwork {
  readonly plan: AddressPlan;
  /** Null where nothing is shaped. */
  readonly router: Router | null;
  /** What a round trip through the router takes without a delay line, ms: part of the round-trip time asked for. */
  readonly ownRttMs: number;
  /** The far end's own addresses on this network: IPv4, and IPv6 where that is on the path. */
  readonly farAddresses: readonly string[];
  /** The far end's routes to all trials, for `ip`, with attributes of the caller's own, such as a table. */
  routesToTrials(attributes: readonly string[]): string[][];
  openTrial(): Promise<TrialNamespace>;
  close(): Promise<void>;
}

/** Links edge and far end, by a router where there is a shape, and hands out trial namespaces at the edge. */
export async function openTrialNetwork(options: TrialNetworkOptions): Promise<TrialNetwork> {
  const { edge, far, shape, mtuBytes } = options;
  const plan = addressPlan(options.block);
  const nearLink = edgeLink(plan);
  const run = { block: options.block, name: basename(options.scratch) };
  const edgeEnd = { ...linkEnd(run, nearLink, 32, 'inner', 'edge'), namespace: edge };
  const trials = [plan.trials4, plan.trials6] as const;
  const tcp = tcpRoute(defaultInitialWindow, options.congestionControl ?? defaultCongestionControl);
  const router = shape === null ? null : await openRouter(options, run, plan, edgeEnd);
  const towardsTrials = router === null ? edgeEnd : routerEnds(run, plan).up;

  if (router === null && edge.name !== far.name) {
    const farEnd = { ...linkEnd(run, nearLink, 32, 'outer', 'far'), namespace: far };
    await addVeth(farEnd, edgeEnd, mtuBytes, { inner: routes(defaults, farEnd) });
  }
  if (edge.name !== far.name) {
    await Promise.all([
      runIpBatch(far.enter, routes(trials, towardsTrials, tcp)),
      runIpBatch(edge.enter, endOfTheRoad(plan)),
    ]);
  }

  const { outer4, outer6 } = router === null ? nearLink : farLink(plan);
  const farAddresses = options.ipv6 ? [outer4, outer6] : [outer4];
  let opened = 0;
  const openNext = () => openTrial(options, run, plan, opened++, tcp);
  const behind = { enter: far.enter, addresses: farAddresses };
  const ownRttMs =
    router === null || shape === null
      ? 0
      : await shapeTogether(router, shape, openNext, behind, options.scratch);
  return {
    plan,
    router,
    ownRttMs,
    farAddresses,
    routesToTrials: (attributes) => routes(trials, towardsTrials, attributes),
    openTrial: openNext,
    async close() {
      await router?.close();
    },
  };
}

async function openRouter(
  options: TrialNetworkOptions,
  run: LinkOwner,
  plan: AddressPlan,
  edgeEnd: LinkAddress & { namespace: Namespace },
): Promise<Router> {
  const { edge, far, mtuBytes, scratch } = options;
  const outerLink = farLink(plan);
  const farEnd = { ...linkEnd(run, outerLink, 33, 'outer', 'far'), namespace: far };
  const ends = routerEnds(run, plan);
  const neighbours = { edge: edgeEnd, far: farEnd };
  const router = (await hasNetem())
    ? await openNamespaceRouter(neighbours, ends, mtuBytes)
    : await openUmlRouter(neighbours, ends, mtuBytes, scratch);
  const trials = [plan.trials4, plan.trials6] as const;
  for (const command of [...routes(trials, edgeEnd), ...routes(defaults, farEnd)]) {
    await router.run(['ip', ...command]);
  }
  await runIpBatch(edge.enter, routes(defaults, ends.down));
  return router;
}

function routerEnds(run: LinkOwner, plan: AddressPlan): RouterEnds {
  return {
    down: { ...linkEnd(run, edgeLink(plan), 32, 'outer'), device: routerDevices.down },
    up: { ...linkEnd(run, farLink(plan), 33, 'inner'), device: routerDevices.up },
  };
}

/**
 * The edge's routes to trials that are not there. What servers still send to a trial that is over must not follow the
 * default route back to where it came from: it would circle through the bottleneck until its hop limit is spent, and
 * slow the next trial.
 */
export function endOfTheRoad({ trials4, trials6 }: AddressPlan): string[][] {
  return [trials4, trials6].map((prefix) => ['route', 'replace', 'unreachable', prefix]);
}

const defaults = ['0.0.0.0/0', '::/0'] as const;

/** Routes for one IPv4 and one IPv6 destination by way of a neighbour. */
function routes(
  [to4, to6]: readonly [string, string],
  via: LinkAddress,
  attributes: readonly string[] = [],
): string[][] {
  return [
    ['route', 'replace', to4, 'via', via.v4, ...attributes],
    ['route', 'replace', to6, 'via', via.v6, ...attributes],
  ];
}

/** Whose a link is. */
export interface LinkOwner {
  /** Of its addresses. */
  block: number;
  /** The run's. */
  name: string;
}

/**
 * An end of a link of this run. Devices carry the block's number, since on the `root` path they lie among the
 * host's own.
 */
export function linkEnd(
  { block, name: alias }: LinkOwner,
  addresses: LinkAddresses,
  link: number,
  end: 'outer' | 'inner',
  name = '',
): LinkAddress {
  return {
    device: `tl${block}-${name}`,
    alias,
    mac: linkMac(block, link, end),
    v4: end === 'outer' ? addresses.outer4 : addresses.inner4,
    v6: end === 'outer' ? addresses.outer6 : addresses.inner6,
  };
}

async function openTrial(
  options: TrialNetworkOptions,
  run: LinkOwner,
  plan: AddressPlan,
  trial: number,
  tcp: readonly string[],
): Promise<TrialNamespace> {
  const { edge, mtuBytes, ipv6 } = options;
  const addresses = trialAddresses(plan, trial);
  const namespace = namespaceNamed(`trial-${trial}`);
  let closing: Promise<void> | null = null;
  // Down, the link has no routes and carries nothing. The kernel frees both ends with the namespace, when the last
  // process inside has ended: to delete the link would be to wait for that (rcu_barrier() in Linux' netdev_run_todo()).
  const close = () =>
    (closing ??= tryIpBatch(edge.enter, [['link', 'set', outer.device, 'down'], deleteCommand(namespace)]));
  const outer = {
    ...linkEnd(run, addresses, trial % 256, 'outer', `t${trial}`),
    namespace: edge,
  };
  const inner = {
    ...linkEnd(run, addresses, trial % 256, 'inner'),
    device: 'eth0',
    namespace,
  };
  try {
    const [default4, default6] = routes(defaults, outer, tcp) as [string[], string[]];
    await addVeth(outer, inner, mtuBytes, {
      makeInner: 'host',
      inner: ipv6 ? [default4, default6] : [default4],
    });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    enter: namespace.enter,
    captureInterface: inner.device,
    clientAddresses: ipv6 ? [inner.v4, inner.v6] : [inner.v4],
    close,
  };
}
