import { runIpBatch, runTool, tryIpBatch } from './run-tool.ts';

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

/** `router` namespaces pass packets on. */
export type Role = 'host' | 'router';

/** Gives the namespace that the capsule stands in the name `main`, so that links can be led into it. */
export async function nameMainNamespace(): Promise<Namespace> {
  await runIpBatch([], [['netns', 'attach', 'main', String(process.pid)]]);
  return { name: 'main', enter: [] };
}

/** A namespace of that name, which {@link addCommand} makes. */
export function namespaceNamed(name: string): Namespace {
  return { name, enter: ['nsenter', `--net=/run/netns/${name}`, '--'] };
}

/** The `ip` command that makes it; it can be given in any namespace of the capsule. */
export function addCommand({ name }: Namespace): string[] {
  return ['netns', 'add', name];
}

/** The `ip` command that removes its name; the kernel frees it when the last process inside has ended. */
export function deleteCommand({ name }: Namespace): string[] {
  return ['netns', 'delete', name];
}

/** The `ip` command that takes the loopback of its namespace up. */
export const loopbackUp: string[] = ['link', 'set', 'lo', 'up'];

/** Makes a namespace with its loopback up. */
export async function addNamespace(name: string, role: Role): Promise<Namespace> {
  const namespace = namespaceNamed(name);
  await runIpBatch([], [addCommand(namespace)]);
  await Promise.all([setRole(namespace, role), runIpBatch(namespace.enter, [loopbackUp])]);
  return namespace;
}

/** Settings of a namespace just made. */
export async function setRole(namespace: Namespace, role: Role): Promise<void> {
  await setSettings(namespace, role === 'router' ? [...quietSettings, ...forwardSettings] : quietSettings);
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

/** As {@link deleteCommand}. Never throws. */
export async function deleteNamespace(namespace: Namespace): Promise<void> {
  await tryIpBatch([], [deleteCommand(namespace)]);
}
