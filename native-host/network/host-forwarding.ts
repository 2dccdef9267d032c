import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';

/** What the host must be told so that it passes packets between two of its interfaces, and no others. */
export interface ForwardingNeeds {
  /** Value by path below /proc/sys. */
  settings: Record<string, string>;
  /** Whether IPv6 can be passed on too. */
  ipv6: boolean;
}

/**
 * IPv4 is switched on for the interface that packets come in by. IPv6 has such a switch since Linux 6.17
 * (`force_forwarding`); before, there is only one for the whole host, which also stops it from learning its own
 * routes from router advertisements, so that one is never touched. Source: ip-sysctl.rst.
 * @param own interface of ours, which need not be there yet
 */
export async function forwardingNeeds(own: string, uplink: string): Promise<ForwardingNeeds> {
  const settings: Record<string, string> = {};
  for (const device of [own, uplink]) settings[`/proc/sys/net/ipv4/conf/${device}/forwarding`] = '1';

  const all6 = await readFile('/proc/sys/net/ipv6/conf/all/forwarding', 'utf8').catch(() => '0');
  if (all6.trim() === '1') return { settings, ipv6: true };
  const force6 = (device: string) => `/proc/sys/net/ipv6/conf/${device}/force_forwarding`;
  if (!existsSync(force6(uplink))) return { settings, ipv6: false };
  for (const device of [own, uplink]) settings[force6(device)] = '1';
  return { settings, ipv6: true };
}
