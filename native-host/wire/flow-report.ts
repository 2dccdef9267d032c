import type { WireFlow } from '../../shared/record/wire.ts';
import type { HttpExchange } from './http/http-exchange.ts';
import type { LoadedConnection } from './page-load.ts';
import { roundedMs } from './rounded-ms.ts';

/** One flow of a page load as it stands in the record. @param epochMs what its times count from */
export function flowReport(
  { activity, exchanges, page }: LoadedConnection,
  epochMs: number | null,
): WireFlow {
  const { connection, flow, tcp } = activity;
  const { handshake, readyAtMs, handshakeRttMs } = connection;
  const since = (atMs: number): number => roundedMs(atMs - (epochMs ?? flow.firstPacketAtMs));
  return {
    id: flow.id,
    transport: connection.transport,
    protocol: connection.protocol,
    clientAddress: flow.client.address,
    clientPort: flow.client.port,
    serverAddress: flow.server.address,
    serverPort: flow.server.port,
    sni: handshake?.sni ?? null,
    alpnOffered: [...(handshake?.alpnOffered ?? [])],
    tlsVersion: connection.transport === 'quic' ? '1.3' : (handshake?.tlsVersion ?? null),
    quicVersion: connection.quicVersion,
    resumed: handshake?.resumed ?? null,
    earlyData: handshake?.earlyData ?? null,
    encryptedClientHello: handshake?.encryptedClientHello ?? null,
    encryptedClientHelloState: handshake?.encryptedClientHelloState ?? null,
    firstPacketAtMs: since(flow.firstPacketAtMs),
    lastPacketAtMs: since(flow.lastPacketAtMs),
    handshakeRttMs: handshakeRttMs === null ? null : roundedMs(handshakeRttMs),
    handshakeMs: readyAtMs === null ? null : roundedMs(readyAtMs - connection.openedAtMs),
    bytesDown: flow.bytesDown,
    bytesUp: flow.bytesUp,
    packetsDown: flow.packetsDown,
    packetsUp: flow.packetsUp,
    retransmissionsDown: tcp?.retransmissionsDown ?? null,
    retransmissionsUp: tcp?.retransmissionsUp ?? null,
    outOfOrderDown: tcp?.outOfOrderDown ?? null,
    outOfOrderUp: tcp?.outOfOrderUp ?? null,
    duplicateAcksUp: tcp?.duplicateAcksUp ?? null,
    maxBytesInFlightDown: tcp?.maxBytesInFlightDown ?? null,
    initialWindowPackets: tcp?.initialWindowPackets ?? null,
    streamLimit: connection.streamLimit,
    ackRtt: activity.roundTrips.series,
    ackRttBy: activity.roundTrips.by,
    ackRttMissing: activity.roundTrips.missing,
    goodputBitsPerSecond: goodput(exchanges),
    requests: connection.keyed ? exchanges.length : null,
    page: page !== null,
    keyed: connection.keyed,
  };
}

/** Response bytes per second from the first to the last response byte, bit/s; null without a response. */
function goodput(exchanges: readonly HttpExchange[]): number | null {
  const firstAtMs = Math.min(...exchanges.map((e) => e.responseFirstAtMs ?? Infinity));
  const lastAtMs = Math.max(...exchanges.map((e) => e.responseLastAtMs ?? -Infinity));
  if (!(lastAtMs > firstAtMs)) return null;
  const bytes = exchanges.reduce((sum, e) => sum + e.responseBytes, 0);
  return Math.round((bytes * 8 * 1000) / (lastAtMs - firstAtMs));
}
