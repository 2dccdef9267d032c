import { readFile } from 'node:fs/promises';
import { isIPv4, isIPv6 } from 'node:net';

const configured = '/etc/resolv.conf';
/** Where systemd-resolved writes the resolvers behind its own address. Source: systemd-resolved.service(8). */
const behindStub = '/run/systemd/resolve/resolv.conf';

/**
 * The host's resolvers that are machines on the network, as addresses. A resolver on the host's own loopback does
 * not exist in a namespace; where that is systemd-resolved's, those behind it are taken.
 * @returns an empty list where all are on the loopback
 */
export async function networkResolvers(): Promise<string[]> {
  for (const file of [configured, behindStub]) {
    const addresses = nameserversOf(await readFile(file, 'utf8').catch(() => ''));
    const reachable = addresses.filter((address) => !isLoopback(address));
    if (reachable.length > 0) return reachable;
  }
  return [];
}

/** Addresses of the `nameserver` lines of a resolv.conf(5); those that only mean something on one link are left out. */
export function nameserversOf(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => /^\s*nameserver\s+(\S+)/.exec(line)?.[1] ?? [])
    .filter((address) => isIPv4(address) || (isIPv6(address) && !address.includes('%')));
}

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}
