import type { Endpoint } from '../flow-record.ts';
import { ipv4Text, ipv6Text } from './address-text.ts';
import type { Packet } from './packet.ts';

/** Who sent a packet. @param port of its transport header */
export function sourceOf(packet: Packet, port: number): Endpoint {
  const { ipVersion, source0, source1, source2, source3 } = packet;
  const address = ipVersion === 4 ? ipv4Text(source3) : ipv6Text(source0, source1, source2, source3);
  return { address, port };
}

/** Whom a packet was sent to. @param port of its transport header */
export function destinationOf(packet: Packet, port: number): Endpoint {
  const { ipVersion, destination0, destination1, destination2, destination3 } = packet;
  const address =
    ipVersion === 4
      ? ipv4Text(destination3)
      : ipv6Text(destination0, destination1, destination2, destination3);
  return { address, port };
}
