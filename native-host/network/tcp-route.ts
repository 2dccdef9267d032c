import { readFile } from 'node:fs/promises';
import { TowlineError } from '../../shared/errors/towline-error.ts';

/** TCP's initial congestion window where nobody asked for another, segments. RFC 6928. */
export const defaultInitialWindow = 10;

/** TCP's congestion control where nobody asked for another: RFC 9438, and what the papers had. */
export const defaultCongestionControl = 'cubic';

/** What a route says of the TCP that goes by it. Stated for every route: a host's default may be another (BBR). */
export function tcpRoute(initialWindowPackets: number, congestionControl: string): string[] {
  return ['initcwnd', String(initialWindowPackets), 'congctl', congestionControl];
}

/** @throws TowlineError `shaping-unavailable` where this kernel has no congestion control of that name */
export async function requireCongestionControl(name: string): Promise<void> {
  const known = await readFile('/proc/sys/net/ipv4/tcp_available_congestion_control', 'utf8');
  const names = known.trim().split(/\s+/);
  if (names.includes(name)) return;
  throw new TowlineError(
    'shaping-unavailable',
    'network',
    `This kernel has no congestion control "${name}"; it has ${names.join(', ')}.`,
    { remedy: `sudo modprobe tcp_${name}` },
  );
}
