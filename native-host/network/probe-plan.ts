import { burstBytes } from './shape-commands.ts';

/** One train of equal packets. Sizes are of whole IP packets. */
export interface TrainPlan {
  packets: number;
  /** So many of them leave at once, at the start. */
  head: number;
  packetBytes: number;
  packetsPerSecond: number;
}

/** RFC 791, RFC 8200, RFC 768. */
export function udpHeaderBytes(ipv6: boolean): number {
  return (ipv6 ? 40 : 20) + 8;
}

/** RFC 9293, with the timestamps option that Linux sends (RFC 7323, appendix A: twelve bytes). */
export function tcpHeaderBytes(ipv6: boolean): number {
  return (ipv6 ? 40 : 20) + 20 + 12;
}

/** Fits every path that takes IPv6 (RFC 8200, section 5): a probe in two fragments would not be one packet. */
const largestPacketBytes = 1280;
/** Headers of either family, type, train and number; headers of either family and something to carry. */
const smallestPacketBytes = { udp: 64, tcp: 100 } as const;
const rateProbeSeconds = 1;
/** So many of the largest packets tell as much in less time. */
const enoughRatePackets = 600;
const shortRateProbeSeconds = 0.6;
/** Packets that make the rate's figure fine enough, each being at most about 1 % of it. */
const ratePackets = 80;
/**
 * How long packets are sent to see what is lost, s: longer where some loss was asked for, and where they are few; a second taking
 * has to fit into the time too.
 */
const lossProbeSeconds = { asked: 1, askedOfFew: 1.5, none: 0.8 } as const;
/** In a second. */
const fewPackets = 100;
const lossPacketsPerSecond = { udp: 1200, tcp: 600 } as const;
/**
 * Of the rate. Both trains are sent at once, in both directions, and a TCP train's segments are answered by
 * acknowledgements, which take half of its share.
 */
const lossProbeShare = { udp: 0.3, tcp: 0.2 } as const;
/** Of the rate, while little else is sent. */
const handshakeShare = 0.5;

/** What leaves on a connection at once, before anything is known of the path: RFC 6928. */
const initialWindowPackets = 10;
/** More would take files, and time to open. */
const mostConnections = 400;
const shortestRateProbeSeconds = 0.3;

export type Transport = 'udp' | 'tcp';

/** Standard deviations of the number lost. */
const manyLost = 3;

/**
 * A train that keeps the bottleneck busy: a quarter faster than its rate after the asked loss, so that what it
 * leaves in the queue drains in the third of a second. A queue of a few packets runs empty between two of the
 * sender's timer ticks, so it is overfed. The head takes what the bottleneck lets through at once after a pause, even
 * where more of its packets are lost than most times.
 */
export function rateTrain(
  rateBitsPerSecond: number,
  lossRatio: number,
  queuePackets: number,
  by: Transport,
): TrainPlan {
  const bytesPerSecond = rateBitsPerSecond / 8;
  const wanted = Math.round((bytesPerSecond * rateProbeSeconds) / ratePackets);
  const packetBytes = Math.min(largestPacketBytes, Math.max(smallestPacketBytes[by], wanted));
  const arriving = 1 - Math.min(lossRatio, 0.9);
  const excess = (queuePackets < 16 ? 3 : 1.25) / arriving;
  const packetsPerSecond = (bytesPerSecond / packetBytes) * excess;
  const atOnce = burstBytes(rateBitsPerSecond) / packetBytes;
  const head = Math.ceil((atOnce + manyLost * Math.sqrt(atOnce * lossRatio)) / arriving) + 1;
  const enough = Math.max(shortRateProbeSeconds, (enoughRatePackets * packetBytes) / bytesPerSecond);
  const affordable = (mostConnections * initialWindowPackets) / packetsPerSecond;
  const seconds = Math.min(
    rateProbeSeconds,
    enough,
    by === 'udp' ? Infinity : Math.max(shortestRateProbeSeconds, affordable),
  );
  return {
    packetBytes,
    packetsPerSecond,
    head,
    packets: head + Math.ceil(packetsPerSecond * seconds),
  };
}

/** A train that loses nothing in the queue: small packets, at less than half the rate. */
export function lossTrain(rateBitsPerSecond: number | null, lossRatio: number, by: Transport): TrainPlan {
  const packetBytes = smallestPacketBytes[by];
  const fitting =
    rateBitsPerSecond === null ? Infinity : (lossProbeShare[by] * rateBitsPerSecond) / (8 * packetBytes);
  const packetsPerSecond = Math.min(lossPacketsPerSecond[by], fitting);
  const few = packetsPerSecond < fewPackets ? lossProbeSeconds.askedOfFew : lossProbeSeconds.asked;
  const seconds = lossRatio > 0 ? few : lossProbeSeconds.none;
  return { packetBytes, head: 1, packetsPerSecond, packets: Math.ceil(packetsPerSecond * seconds) };
}

const handshakeBytes = 60 + 60 + 52;
const fastestConnectionsPerSecond = 2000;

/** As many connections as let a train leave as paced. */
export function connectionsFor({ packets }: TrainPlan): number {
  return Math.min(mostConnections, Math.ceil(packets / initialWindowPackets));
}

/** How so many connections are opened: how many more than that, since some handshakes will be lost, and how fast. */
export function handshakePlan(
  connections: number,
  rateBitsPerSecond: number | null,
  lossRatio: number,
): { spare: number; perSecond: number } {
  const spare = Math.ceil(connections * (1 / (1 - Math.min(lossRatio, 0.9)) ** 2 - 1) * 1.5);
  const fitting =
    rateBitsPerSecond === null ? Infinity : (handshakeShare * rateBitsPerSecond) / (8 * handshakeBytes);
  return { spare: spare === 0 ? 0 : spare + 2, perSecond: Math.min(fastestConnectionsPerSecond, fitting) };
}

const fewPings = 20;
const manyPings = 60;
const pingIntervalMs = 15;
const longestJitterProbeMs = 1500;

/**
 * IPv6 bytes of a ping, and of a handshake with timestamps (RFC 7323) and the reset that drops its connection: what one of each
 * sends towards the far end.
 */
const roundTripBytes = 64 + 80 + 72 + 60;

/**
 * Twenty pings; sixty where their times vary, and further apart than they vary by: a packet that has to wait for
 * the one before it would be counted as later than it was drawn. On a slow path, so far apart that they and the handshakes
 * sent meanwhile exceed the rate by no more than half of what the bottleneck lets through at once after a pause
 * ({@link burstBytes}): beyond that they would wait for each other, IPv6 earlier than IPv4.
 * @param rateBitsPerSecond of the slower direction; null where none is limited
 */
export function pingPlan(
  jitterMs: number,
  rateBitsPerSecond: number | null,
): { count: number; intervalMs: number } {
  if (jitterMs === 0) {
    const intervalMs = Math.max(pingIntervalMs, emptyQueueIntervalMs(fewPings, rateBitsPerSecond));
    return { count: fewPings, intervalMs };
  }
  const intervalMs = Math.max(
    ...[pingIntervalMs, Math.ceil(2 * jitterMs), emptyQueueIntervalMs(manyPings, rateBitsPerSecond)],
  );
  const affordable = Math.floor(longestJitterProbeMs / intervalMs);
  return { count: Math.max(fewPings, Math.min(manyPings, affordable)), intervalMs };
}

/** Between round trips, ms. */
function emptyQueueIntervalMs(count: number, rateBitsPerSecond: number | null): number {
  if (rateBitsPerSecond === null) return 0;
  const afterPauseBytes = count * roundTripBytes - burstBytes(rateBitsPerSecond) / 2;
  return Math.ceil((8 * 1000 * afterPauseBytes) / rateBitsPerSecond / count);
}

const queuePings = 30;
const queuePingIntervalMs = 40;
/** Over the rate, so that the queue stays full and yet has room for a probe now and then. */
const queueExcess = 1.1;

/**
 * What fills a queue and keeps it full until the pings sent meanwhile have come back into it. Pings are as large as
 * what fills it, since a queue is counted in packets.
 * @param rttMs of the path, ms
 */
export function queuePlan(
  rateBitsPerSecond: number,
  queuePackets: number,
  lossRatio: number,
  rttMs: number,
): { count: number; intervalMs: number; packetBytes: number; flood: TrainPlan } {
  const packetBytes = largestPacketBytes;
  const arriving = 1 - Math.min(lossRatio, 0.9);
  const packetsPerSecond = ((rateBitsPerSecond / 8 / packetBytes) * queueExcess) / arriving;
  const head = Math.ceil((queuePackets + burstBytes(rateBitsPerSecond) / packetBytes + 1) / arriving);
  const seconds = (queuePings * queuePingIntervalMs + rttMs) / 1000;
  return {
    ...{ count: queuePings, intervalMs: queuePingIntervalMs, packetBytes },
    flood: { packetBytes, packetsPerSecond, head, packets: head + Math.ceil(packetsPerSecond * seconds) },
  };
}
