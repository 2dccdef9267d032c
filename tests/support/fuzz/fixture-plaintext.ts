import { KeyLog } from '../../../native-host/wire/keys/key-log.ts';
import { ipProtocol, Packet } from '../../../native-host/wire/packet/packet.ts';
import type { Direction } from '../../../native-host/wire/stream-sink.ts';
import { Segment } from '../../../native-host/wire/tcp/segment.ts';
import { TcpFlow } from '../../../native-host/wire/tcp/tcp-flow.ts';
import { TlsConnection } from '../../../native-host/wire/tls/tls-connection.ts';
import { fixtureFrames, fixtureKeys } from '../frames.ts';

/** Of each direction; enough to hold every kind of message. */
const mostBytes = 4000;

/** What one TLS connection of a fixture carried, decrypted: the beginning of its longest, each way. */
export function fixturePlaintext(arm: 'h1' | 'h2'): Record<Direction, Buffer> {
  const log = new KeyLog();
  log.add(fixtureKeys(arm));
  const packet = new Packet();
  const segment = new Segment();
  const flows = new Map<number, { tcp: TcpFlow; up: Buffer[]; down: Buffer[] }>();
  for (const { bytes, originalBytes, seconds } of fixtureFrames(arm)) {
    if (!packet.decode(bytes, 1, originalBytes) || packet.protocol !== ipProtocol.tcp) continue;
    if (!segment.read(packet)) continue;
    const isUp = segment.destinationPort === 443;
    const port = isUp ? segment.sourcePort : segment.destinationPort;
    const flow = flows.get(port) ?? newFlow(log);
    flows.set(port, flow);
    flow.tcp.segment(isUp ? 'up' : 'down', segment, seconds);
  }
  const all = [...flows.values()].map(({ up, down }) => ({
    up: Buffer.concat(up),
    down: Buffer.concat(down),
  }));
  const [longest] = all.sort((a, b) => b.down.length - a.down.length);
  if (longest === undefined || longest.down.length === 0)
    throw new Error(`The ${arm} fixture was not decrypted.`);
  return { up: longest.up.subarray(0, mostBytes), down: longest.down.subarray(0, mostBytes) };
}

function newFlow(log: KeyLog): { tcp: TcpFlow; up: Buffer[]; down: Buffer[] } {
  const flow = { tcp: new TcpFlow(), up: [] as Buffer[], down: [] as Buffer[] };
  flow.tcp.sink = new TlsConnection(log, {
    onRecord: () => undefined,
    onApplicationData: (direction, plaintext) => flow[direction].push(Buffer.from(plaintext)),
    onApplicationGap: () => undefined,
  });
  return flow;
}
