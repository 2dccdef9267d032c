import { TowlineError } from '../../shared/errors/towline-error.ts';
import { capsuleCommand } from './capsule.ts';
import { findTool } from './find-tool.ts';
import { toolPackages } from './tool-packages.ts';
import { networkResolvers } from './resolvers.ts';
import { tryTool } from './run-tool.ts';
import { addressesOf, isThisMachine } from './this-machine.ts';
import { tunRemedy } from './tun-remedy.ts';
import { userNamespaceRemedy } from './user-namespaces.ts';

export type UplinkKind = 'rootless' | 'root' | 'none';

export interface NetworkChoice {
  kind: UplinkKind;
  /** Plain sentences for the record: why this one. */
  notes: string[];
}

/** Why a kind cannot be had, and what to do about it. */
interface Obstacle {
  reason: string;
  remedy: string;
}

const kinds = ['auto', 'rootless', 'root', 'none'] as const;

/**
 * Chooses the way to a live site: for an ordinary user a namespace joined to the host's network by pasta, for root
 * one behind veth and masquerading, and where that cannot be had, none. What is said to be possible has been tried.
 *
 * @param asked `auto`, or one of the kinds, which is then given or refused
 * @throws TowlineError `bad-argument`, or `namespace-unavailable` where the kind asked for cannot be had
 */
export async function chooseNetwork({
  asked,
  targetHost,
}: {
  asked: string;
  targetHost: string;
}): Promise<NetworkChoice> {
  const wanted = kinds.find((kind) => kind === asked);
  if (wanted === undefined) {
    throw new TowlineError('bad-argument', 'arguments', `"${asked}" is no kind of network.`, {
      remedy: `Use one of ${kinds.join(', ')}.`,
    });
  }
  if (wanted === 'none') {
    return {
      kind: 'none',
      notes: ['Asked for: no network namespace, so other traffic shares the interface.'],
    };
  }

  const isRoot = process.getuid?.() === 0;
  const kind = wanted === 'auto' ? (isRoot ? 'root' : 'rootless') : wanted;
  const obstacle =
    (await targetObstacle(targetHost)) ??
    (kind === 'root' ? await rootObstacle(isRoot) : await rootlessObstacle(isRoot));
  if (obstacle === null) return { kind, notes: [reasons[kind]] };
  if (wanted === 'auto') {
    return {
      kind: 'none',
      notes: [
        `No network namespace was made: ${obstacle.reason}. Other traffic shares the interface.`,
        `To have one: ${obstacle.remedy}`,
      ],
    };
  }
  throw new TowlineError(
    'namespace-unavailable',
    'network',
    `The network "${wanted}" cannot be had: ${obstacle.reason}.`,
    { remedy: obstacle.remedy },
  );
}

const reasons = {
  rootless: 'Trials ran in network namespaces joined to the host by pasta, which needs no rights.',
  root: "Trials ran in network namespaces behind the host's own address, by veth and masquerading.",
} as const;

async function targetObstacle(targetHost: string): Promise<Obstacle | null> {
  const addresses = await addressesOf(targetHost);
  if (!addresses.some((address) => isThisMachine(address))) return null;
  return {
    reason: `${targetHost} is this machine itself, which is not reached from a namespace`,
    remedy: 'Use --network none, or the lab.',
  };
}

async function rootlessObstacle(isRoot: boolean): Promise<Obstacle | null> {
  if (isRoot)
    return { reason: 'pasta is for ordinary users', remedy: 'Run it as one, or use --network root.' };
  return (
    missing(['pasta', 'unshare', 'setpriv', 'nsenter', 'ip', 'nft', 'ethtool', 'sysctl']) ??
    tunObstacle() ??
    (await resolverObstacle()) ??
    (await pastaObstacle())
  );
}

function tunObstacle(): Obstacle | null {
  const remedy = tunRemedy();
  return remedy === null ? null : { reason: '/dev/net/tun may not be opened by ordinary users', remedy };
}

async function pastaObstacle(): Promise<Obstacle | null> {
  const { status, stderr } = await tryTool(capsuleCommand('rootless', false, ['true']), {
    timeoutMs: 10_000,
  });
  if (status === 0) return null;
  const locked = userNamespaceRemedy();
  return {
    reason:
      locked === null
        ? `a user namespace with pasta did not work (${stderr.trim() || 'it gave no reason'})`
        : 'this machine forbids user namespaces to ordinary users',
    remedy: locked ?? 'towline doctor',
  };
}

async function rootObstacle(isRoot: boolean): Promise<Obstacle | null> {
  if (!isRoot) {
    return {
      reason: 'it needs root',
      remedy: 'Use --network rootless, which needs no rights, or run it as root.',
    };
  }
  return (
    missing(['unshare', 'setpriv', 'nsenter', 'ip', 'nft', 'ethtool', 'sysctl']) ??
    (await resolverObstacle()) ??
    (await masqueradeObstacle()) ??
    (await firewallObstacle())
  );
}

/** Tried in a namespace that goes with the command. */
async function masqueradeObstacle(): Promise<Obstacle | null> {
  const rules = 'table inet t { chain c { type nat hook postrouting priority srcnat; masquerade; }; }\n';
  const { status } = await tryTool(['unshare', '--net', '--', 'nft', '--file', '-'], { input: rules });
  if (status === 0) return null;
  return {
    reason: 'this kernel cannot masquerade by nftables',
    remedy: 'sudo modprobe nft_masq nft_chain_nat',
  };
}

interface NftChain {
  chain?: { hook?: string; policy?: string; table?: string; family?: string };
}

/** A chain that drops what is forwarded cannot be overruled by another table. Docker and firewalls make such. */
async function firewallObstacle(): Promise<Obstacle | null> {
  const { status, stdout } = await tryTool(['nft', '--json', 'list', 'chains']);
  if (status !== 0) return null;
  const { nftables } = JSON.parse(stdout) as { nftables: NftChain[] };
  const dropping = nftables.find(({ chain }) => chain?.hook === 'forward' && chain.policy === 'drop')?.chain;
  if (dropping === undefined) return null;
  return {
    reason: `the host's firewall (table ${dropping.family ?? ''} ${dropping.table ?? ''}) drops what is forwarded`,
    remedy: 'Run it as an ordinary user, with pasta: that is not forwarded.',
  };
}

async function resolverObstacle(): Promise<Obstacle | null> {
  if ((await networkResolvers()).length > 0) return null;
  return {
    reason: "the host's only resolver is on its loopback, which is not reached from a namespace",
    remedy: 'Add a resolver of the network to /etc/resolv.conf.',
  };
}

function missing(tools: readonly string[]): Obstacle | null {
  const absent = tools.filter((tool) => findTool(tool) === null);
  if (absent.length === 0) return null;
  const packages = [...new Set(absent.map((tool) => toolPackages[tool] ?? tool))];
  return {
    reason: `${absent.join(', ')} ${absent.length === 1 ? 'is' : 'are'} not installed`,
    remedy: `sudo apt-get install ${packages.join(' ')}`,
  };
}
