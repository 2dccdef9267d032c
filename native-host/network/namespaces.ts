import { runIpBatch, runTool, tryTool } from './run-tool.ts';

/** A network namespace that has a name inside the capsule. */
export interface Namespace {
  readonly name: string;
  /** Put in front of an argument array to run it inside; empty for the capsule's main one. */
  readonly enter: readonly string[];
}

/**
 * Nothing is sent but what was asked for: no router solicitations, no duplicate-address detection. And no
 * connection learns from an earlier one: Linux otherwise keeps RTT, threshold and reordering per peer address.
 */
const quietSettings = [
  'net.ipv6.conf.all.router_solicitations=0',
  'net.ipv6.conf.default.router_solicitations=0',
  'net.ipv6.conf.all.accept_dad=0',
  'net.ipv6.conf.default.accept_dad=0',
  'net.ipv4.tcp_no_metrics_save=1',
];

const forwardSettings = ['net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1'];

/** Gives the namespace that the capsule stands in the name `main`, so that links can be led into it. */
export async function nameMainNamespace(): Promise<Namespace> {
  await runTool(['ip', 'netns', 'attach', 'main', String(process.pid)]);
  return { name: 'main', enter: [] };
}

/** Makes a namespace with its loopback up. @param role `router` namespaces pass packets on */
export async function addNamespace(name: string, role: 'host' | 'router'): Promise<Namespace> {
  await runTool(['ip', 'netns', 'add', name]);
  const namespace = { name, enter: ['nsenter', `--net=/run/netns/${name}`, '--'] };
  await Promise.all([
    setSettings(namespace, role === 'router' ? [...quietSettings, ...forwardSettings] : quietSettings),
    runIpBatch(namespace.enter, [['link', 'set', 'lo', 'up']]),
  ]);
  return namespace;
}

/** Lets a namespace of the capsule pass packets on. Not for the host's own: see forwarding.ts. */
export async function letForward(namespace: Namespace): Promise<void> {
  await setSettings(namespace, forwardSettings);
}

/** Lets programs without rights listen on any port inside. For a namespace of the capsule alone. ip(7). */
export async function letAnybodyListen(namespace: Namespace): Promise<void> {
  await setSettings(namespace, ['net.ipv4.ip_unprivileged_port_start=0']);
}

async function setSettings(namespace: Namespace, settings: readonly string[]): Promise<void> {
  await runTool([...namespace.enter, 'sysctl', '--quiet', '--write', ...settings]);
}

/** Removes the name; the kernel frees the links when the last process inside has ended. Never throws. */
export async function deleteNamespace(namespace: Namespace): Promise<void> {
  await tryTool(['ip', 'netns', 'delete', namespace.name]);
}
