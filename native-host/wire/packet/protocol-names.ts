/** Names of what is counted and not read, for people: as short as tcpdump's. */

const etherTypes: ReadonlyMap<number, string> = new Map([
  [0x0806, 'arp'],
  [0x8847, 'mpls'],
  [0x8848, 'mpls'],
  [0x8863, 'pppoe'],
  [0x8864, 'pppoe'],
  [0x888e, 'eapol'],
  [0x88cc, 'lldp'],
  [0x88e5, 'macsec'],
  [0x88f7, 'ptp'],
]);

const ipProtocols: ReadonlyMap<number, string> = new Map([
  [1, 'icmp'],
  [2, 'igmp'],
  [4, 'ip in ip'],
  [41, 'ipv6 in ip'],
  [47, 'gre'],
  [50, 'esp'],
  [51, 'ah'],
  [58, 'icmpv6'],
  [89, 'ospf'],
  [112, 'vrrp'],
  [115, 'l2tp'],
  [132, 'sctp'],
]);

/** LINKTYPE_ numbers that people capture and that cannot be read here. */
const linkTypes: ReadonlyMap<number, string> = new Map([
  [9, 'ppp'],
  [50, 'ppp'],
  [105, '802.11'],
  [127, '802.11 radiotap'],
  [192, '802.11 ppi'],
  [189, 'usb'],
  [220, 'usb'],
  [249, 'usb'],
  [201, 'bluetooth'],
  [239, 'nflog'],
  [251, 'bluetooth le'],
]);

/** By their registered ports: tunnels carry flows that are not looked into. */
const udpPorts: ReadonlyMap<number, string> = new Map([
  [67, 'dhcp'],
  [68, 'dhcp'],
  [123, 'ntp'],
  [137, 'netbios'],
  [138, 'netbios'],
  [500, 'ipsec'],
  [546, 'dhcpv6'],
  [547, 'dhcpv6'],
  [1900, 'ssdp'],
  [3478, 'stun'],
  [4500, 'ipsec'],
  [4789, 'vxlan'],
  [5355, 'llmnr'],
  [6081, 'geneve'],
  [51820, 'wireguard'],
]);

/** An Ethernet frame's type (IANA IEEE 802 Numbers). */
export function etherTypeName(type: number): string {
  return etherTypes.get(type) ?? `ethertype 0x${type.toString(16).padStart(4, '0')}`;
}

/** A protocol above IP (IANA Protocol Numbers). */
export function ipProtocolName(number: number): string {
  return ipProtocols.get(number) ?? `ip protocol ${number}`;
}

/** A capture's link type (https://www.tcpdump.org/linktypes.html). */
export function linkTypeName(number: number): string {
  const name = linkTypes.get(number);
  return `link type ${number}${name === undefined ? '' : ` (${name})`}`;
}

/** A UDP datagram that is no QUIC, by its ports (IANA Service Names and Port Numbers). */
export function udpName(sourcePort: number, destinationPort: number): string {
  return udpPorts.get(destinationPort) ?? udpPorts.get(sourcePort) ?? 'udp';
}
