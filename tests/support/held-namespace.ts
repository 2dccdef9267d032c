import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { findTool } from '../../native-host/network/find-tool.ts';

const run = promisify(execFile);

/** Of one interface, by IP version. */
export interface Addresses {
  readonly 4: string;
  readonly 6: string;
}

/** A network namespace that lives as long as the process that holds it. */
export interface HeldNamespace {
  readonly holder: ChildProcess;
  readonly enter: readonly string[];
}

export async function openNamespace(): Promise<HeldNamespace> {
  const holder = spawn('unshare', ['--net', '--', 'cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
  // What comes back has been through `cat`, which runs only once the namespace is there.
  holder.stdin.write('ready\n');
  await once(holder.stdout, 'data');
  return { holder, enter: [findTool('nsenter') ?? 'nsenter', `--net=/proc/${holder.pid ?? 0}/ns/net`, '--'] };
}

export async function inside(
  { enter: [program = '', ...args] }: HeldNamespace,
  command: readonly string[],
): Promise<void> {
  await run(program, [...args, ...command]);
}

/** A link from the router to an end; each end's interface is called `wire`. */
export async function joinToRouter(
  router: HeldNamespace,
  host: HeldNamespace,
  name: string,
  addresses: Addresses,
  gateways: readonly [string, string],
): Promise<void> {
  const ip = (namespace: HeldNamespace, ...args: string[]): Promise<void> =>
    inside(namespace, ['ip', ...args]);
  const pid = `${host.holder.pid ?? 0}`;
  await ip(router, 'link', 'add', name, 'type', 'veth', 'peer', 'name', 'wire', 'netns', pid);
  for (const [namespace, device, [v4, v6]] of [
    [router, name, gateways],
    [host, 'wire', [addresses[4], addresses[6]]],
  ] as const) {
    // Else "packets" of 64 KB pass, and one lost packet is that much.
    const offloads = ['tso', 'gso', 'gro', 'tx-udp-segmentation'].flatMap((name) => [name, 'off']);
    await inside(namespace, ['ethtool', '-K', device, ...offloads]);
    // Else the link-local address is there only a second later, which is a change of network to Chromium: it
    // then ends the load (ERR_NETWORK_CHANGED).
    await inside(namespace, ['sysctl', '-qw', `net.ipv6.conf.${device}.accept_dad=0`]);
    await addAddress(namespace, device, { 4: v4, 6: v6 });
    await ip(namespace, 'link', 'set', 'lo', 'up');
    await ip(namespace, 'link', 'set', device, 'up');
  }
  await ip(host, 'route', 'add', 'default', 'via', gateways[0]);
  await ip(host, '-6', 'route', 'add', 'default', 'via', gateways[1]);
}

export async function addAddress(
  namespace: HeldNamespace,
  device: string,
  address: Addresses,
): Promise<void> {
  await inside(namespace, ['ip', 'address', 'add', `${address[4]}/24`, 'dev', device]);
  await inside(namespace, ['ip', 'address', 'add', `${address[6]}/64`, 'dev', device, 'nodad']);
}

/** Ends a process, and waits until it is gone. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
