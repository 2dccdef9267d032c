import type { LossMeasurement } from '../../shared/record/path.ts';
import { burstBytes } from './shape-commands.ts';
import { wilsonInterval } from './wilson-interval.ts';

/** IPv4 and UDP headers of every probe, bytes. */
export const headerBytes = 28;

/** One train of equal datagrams. Sizes are of whole IP packets. */
export interface TrainPlan {
  packets: number;
  /** So many of them leave at once, at the start. */
  head: number;
  packetBytes: number;
  packetsPerSecond: number;
}

/** Fits every path that takes IPv6 (RFC 8200, section 5): a probe in two fragments would not be one packet. */
const largestPacketBytes = 1280;
/** Header, type, train and sequence number. */
const smallestPacketBytes = 64;
const rateProbeSeconds = 1.2;
/** Packets that make the rate's figure fine enough, each being at most about 1 % of it. */
const ratePackets = 80;
const lossProbeSeconds = 2;
const lossPacketsPerSecond = 1500;

/**
 * A train that keeps the bottleneck busy: a quarter faster than its rate after the asked loss, so that what it
 * leaves in the queue drains in the third of a second. A queue of a few packets runs empty between two of the
 * sender's timer ticks, so it is overfed. The head takes what the bottleneck lets through at once after a pause.
 */
export function rateTrain(rateBitsPerSecond: number, lossRatio: number, queuePackets: number): TrainPlan {
  const bytesPerSecond = rateBitsPerSecond / 8;
  const wanted = Math.round((bytesPerSecond * rateProbeSeconds) / ratePackets);
  const packetBytes = Math.min(largestPacketBytes, Math.max(smallestPacketBytes, wanted));
  const excess = (queuePackets < 16 ? 3 : 1.25) / (1 - Math.min(lossRatio, 0.9));
  const packetsPerSecond = (bytesPerSecond / packetBytes) * excess;
  const head = Math.ceil(burstBytes(rateBitsPerSecond) / packetBytes) + 1;
  return {
    packetBytes,
    packetsPerSecond,
    head,
    packets: head + Math.ceil(packetsPerSecond * rateProbeSeconds),
  };
}

/** A train that loses nothing in the queue: small packets, at less than half the rate. */
export function lossTrain(rateBitsPerSecond: number | null): TrainPlan {
  const fitting =
    rateBitsPerSecond === null ? Infinity : (0.4 * rateBitsPerSecond) / (8 * smallestPacketBytes);
  const packetsPerSecond = Math.min(lossPacketsPerSecond, fitting);
  return {
    packetBytes: smallestPacketBytes,
    head: 1,
    packetsPerSecond,
    packets: Math.ceil(packetsPerSecond * lossProbeSeconds),
  };
}

/**
 * Rate at the bottleneck from when a rate train's packets arrived: IP bits after its head, and after a tenth of
 * it, over the time they took.
 * @returns bit/s, or null when too few arrived to tell
 */
export function rateOfArrivals(atMs: readonly number[], { head, packetBytes }: TrainPlan): number | null {
  const from = Math.max(head, Math.ceil(atMs.length / 10));
  const first = atMs[from];
  const last = atMs.at(-1);
  if (first === undefined || last === undefined || last <= first) return null;
  return ((atMs.length - 1 - from) * packetBytes * 8 * 1000) / (last - first);
}

export function lossOf(sent: number, arrived: number): LossMeasurement {
  const lost = Math.max(0, sent - arrived);
  return { sent, lost, ratio: sent === 0 ? 0 : lost / sent, interval: wilsonInterval(lost, sent) };
}

/** Median, or null of nothing. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}
