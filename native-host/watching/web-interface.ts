import { TowlineError } from '../../shared/errors/towline-error.ts';
import { routeTo } from '../network/route-table.ts';

/** Of documentation (RFC 5737, RFC 3849): they stand for any address of the world, and nothing is sent to them. */
const anyAddresses = ['192.0.2.1', '2001:db8::1'];

/**
 * The interface by which this machine reaches the web: that of IPv4, or where there is none of IPv6. The kernel is
 * asked for its way, not for a default route: with a VPN the two differ.
 *
 * @throws TowlineError `capture-failed` where there is no way
 */
export async function webInterface(): Promise<string> {
  for (const address of anyAddresses) {
    const route = await routeTo(address);
    if (route !== null) return route.device;
  }
  throw new TowlineError('capture-failed', 'capture', 'This machine has no way to the internet to watch.', {
    remedy: 'Connect it, then load the page again.',
  });
}
