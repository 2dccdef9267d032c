import { runTool, tryTool } from './run-tool.ts';

/** The host's way to the world, as `ip -json route` tells it. */
export interface DefaultRoute {
  device: string;
  mtuBytes: number;
  /** Whether there is an IPv6 default route too. */
  ipv6: boolean;
}

interface RouteRow {
  dev?: string;
  prefsrc?: string;
}

/** @returns null where the host has no IPv4 default route: then nothing of the world can be reached by IPv4 */
export async function defaultRoute(): Promise<DefaultRoute | null> {
  const show = async (...args: string[]) => JSON.parse(await runTool(['ip', '-json', ...args])) as unknown;
  const [rows4, rows6, links] = (await Promise.all([
    show('-4', 'route', 'show', 'default'),
    show('-6', 'route', 'show', 'default'),
    show('link', 'show'),
  ])) as [RouteRow[], RouteRow[], { ifname?: string; mtu?: number }[]];
  const device = rows4[0]?.dev;
  if (device === undefined) return null;
  const mtuBytes = links.find(({ ifname }) => ifname === device)?.mtu ?? 1500;
  return { device, mtuBytes, ipv6: rows6.length > 0 };
}

/** By which interface, and under which address of its own, the host reaches an address; null where it cannot. */
export async function routeTo(address: string): Promise<{ device: string; source: string } | null> {
  const { status, stdout } = await tryTool(['ip', '-json', 'route', 'get', address]);
  if (status !== 0) return null;
  const [row] = JSON.parse(stdout) as RouteRow[];
  return row?.dev === undefined || row.prefsrc === undefined
    ? null
    : { device: row.dev, source: row.prefsrc };
}
