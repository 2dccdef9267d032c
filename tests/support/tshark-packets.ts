import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** One packet to or from the server's port 443, by tshark. */
export interface TsharkPacket {
  /** Its TCP or UDP conversation. */
  readonly conversation: string;
  /** The client's. */
  readonly port: number;
  readonly serverAddress: string;
  readonly down: boolean;
  readonly atMs: number;
  readonly bytes: number;
  /** A segment with payload that tshark calls a retransmission or out of order. */
  readonly outOfLine: boolean;
  /** Of the ClientHello that it completes; empty in others. */
  readonly serverName: string;
}

/** Every packet of a capture with the server's port, without keys. */
export async function tsharkPackets(pcapFile: string): Promise<TsharkPacket[]> {
  const fields = [
    ...['tcp.stream', 'udp.stream', 'tcp.srcport', 'udp.srcport', 'tcp.dstport', 'udp.dstport'],
    ...['ip.src', 'ip.dst', 'ipv6.src', 'ipv6.dst', 'tls.handshake.extensions_server_name'],
    ...['frame.time_epoch', 'ip.len', 'ipv6.plen'],
    ...['tcp.len', 'tcp.analysis.retransmission', 'tcp.analysis.out_of_order'],
  ];
  const filter = 'not icmp and not icmpv6 and (tcp.port == 443 or udp.port == 443)';
  const { stdout } = await run(
    'tshark',
    [
      ...['-r', pcapFile, '-Y', filter, '-T', 'fields', '-E', 'separator=|', '-E', 'occurrence=f'],
      ...fields.flatMap((field) => ['-e', field]),
    ],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  return stdout.trim().split('\n').map(packetOf);
}

function packetOf(line: string): TsharkPacket {
  const [tcp = '', udp = '', tcpFrom = '', udpFrom = '', tcpTo = '', udpTo = '', ...more] = line.split('|');
  const [source4 = '', destination4 = '', source6 = '', destination6 = '', serverName = '', ...facts] = more;
  const [epoch = '', ip = '', ipv6 = '', payloadBytes = '', ...outOfLine] = facts;
  const [from, to] = [Number(tcpFrom || udpFrom), Number(tcpTo || udpTo)];
  const down = from === 443;
  return {
    conversation: tcp === '' ? `udp ${udp}` : `tcp ${tcp}`,
    port: down ? to : from,
    serverAddress: down ? source4 || source6 : destination4 || destination6,
    down,
    atMs: Number(epoch) * 1000,
    bytes: ip === '' ? Number(ipv6) + 40 : Number(ip),
    outOfLine: Number(payloadBytes) > 0 && outOfLine.some((mark) => mark !== ''),
    serverName,
  };
}
