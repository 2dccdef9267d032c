import { TowlineError } from '../../shared/errors/towline-error.ts';
import { LibpcapSource } from './libpcap-source.ts';
import type { CaptureOptions, PacketSource } from './packet-source.ts';
import { TcpdumpSource } from './tcpdump-source.ts';

/**
 * Opens a capture: libpcap in this process, or tcpdump where the addon was not built or could not open the
 * interface (tcpdump may have rights of its own). Which of them is in the source's `kind`.
 *
 * @throws TowlineError `capture-missing`, `permission-denied`, `capture-failed`
 */
export async function openPacketSource(options: CaptureOptions): Promise<PacketSource> {
  let first: unknown;
  try {
    return LibpcapSource.open(options);
  } catch (error) {
    first = error;
  }
  try {
    return await TcpdumpSource.open(options);
  } catch (second) {
    // Where tcpdump is no help, the addon's own complaint is the one to mend.
    const useless = second instanceof TowlineError && second.code === 'capture-missing';
    throw useless && first instanceof TowlineError ? first : second;
  }
}
