import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';

/** A URL's host name without the brackets of an IPv6 address. */
export function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** All addresses a host name stands for; empty where it is not known. */
export async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(bareHost(host), { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

/** Whether an address is this machine's own, which a network of its own would not lead to. */
export function isThisMachine(address: string): boolean {
  if (address.startsWith('127.') || address === '::1') return true;
  return Object.values(networkInterfaces()).some((all) => all?.some((own) => own.address === address));
}
