import { counted, listed } from './names.ts';
import type { Target } from './record.ts';

/**
 * The lab's servers in plain sentences: what was chosen, and where that does not reach.
 * @param http3 whether an arm went over QUIC, to which the choices for TCP do not apply
 */
export function describeLab({ server, setup }: NonNullable<Target['lab']>, http3: boolean): string[] {
  if (setup === null) return [`The server: ${server}.`];
  const { shards, ipVersion, initialWindowPackets, congestionControl, maxStreams } = setup;
  const windows =
    [...new Set(initialWindowPackets)].length === 1 ? [initialWindowPackets[0]] : initialWindowPackets;
  return [
    shards === 1
      ? `The server: ${server}, on IPv${ipVersion}.`
      : `The page is dealt over ${counted(shards, 'server')} (${server}) with a name and an IPv${ipVersion} address each.`,
    `TCP there: an initial window of ${listed(windows.map(String))} segments, and ${congestionControl} ` +
      `as congestion control.${http3 ? " HTTP/3 has the server's own instead, which cannot be chosen." : ''}`,
    ...(maxStreams === null
      ? []
      : [`At most ${counted(maxStreams, 'stream')} at once on an HTTP/2 connection.`]),
  ];
}
