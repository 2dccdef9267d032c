import { execFileSync } from 'node:child_process';
import { LibpcapSource } from '../../../native-host/capture/libpcap-source.ts';
import { openPacketSource } from '../../../native-host/capture/open-packet-source.ts';
import type { CaptureOptions, PacketSource } from '../../../native-host/capture/packet-source.ts';
import { TcpdumpSource } from '../../../native-host/capture/tcpdump-source.ts';
import { reportOf } from '../../../shared/errors/towline-error.ts';

/**
 * Captures nothing on a link of its own in the namespace it runs in, and prints how that ended as JSON. It leaves
 * its end to the event loop: what holds the process open would be seen.
 *
 * Arguments: the source, and `delete` when the interface is to go away during the capture.
 */
const [kind, fate] = process.argv.slice(2);

const open: Record<string, (options: CaptureOptions) => PacketSource | Promise<PacketSource>> = {
  libpcap: (options) => LibpcapSource.open(options),
  tcpdump: (options) => TcpdumpSource.open(options),
  any: openPacketSource,
};

try {
  execFileSync('ip', ['link', 'add', 'towline0', 'type', 'veth', 'peer', 'name', 'towline1']);
  execFileSync('ip', ['link', 'set', 'towline0', 'up']);
  const source = await open[kind ?? 'any']?.({
    interface: 'towline0',
    filter: 'udp port 1 and udp port 2',
    snapLength: 96,
    onPacket: () => undefined,
  });
  source?.start();
  if (fate === 'delete') execFileSync('ip', ['link', 'delete', 'towline0']);
  const stats = await source?.stop();
  process.stdout.write(JSON.stringify({ kind: source?.kind, ...stats }));
} catch (error) {
  process.stdout.write(JSON.stringify(reportOf(error, 'capture')));
}
