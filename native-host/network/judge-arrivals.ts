import type { LossMeasurement, ReorderMeasurement } from '../../shared/record/path.ts';
import type { TrainPlan } from './probe-plan.ts';
import { wilsonInterval } from './wilson-interval.ts';

/** A datagram of a train that arrived. */
export interface Arrival {
  /** Its place in the train, from 0. */
  number: number;
  atMs: number;
}

/** What an interface had received at a time. */
export interface Received {
  atMs: number;
  /** IP bytes so far. */
  bytes: number;
}

/**
 * Rate at the bottleneck from an interface's counter: bits over time, without the train's head and first tenth, for as long as
 * the train was being sent. After that the queue may have run empty, with only what TCP sends again still coming.
 * @returns bit/s, or null when too little came to tell
 */
export function rateOfReceived(
  received: readonly Received[],
  { head, packetBytes, packets, packetsPerSecond }: TrainPlan,
): number | null {
  const [before] = received;
  if (before === undefined) return null;
  const sendingMs = ((packets - head) / packetsPerSecond) * 1000;
  const skipped = before.bytes + head * packetBytes;
  // What comes before the train, such as answers to the other direction's, is less than the head, and must not start the clock.
  const begin = received.find(({ bytes }) => bytes >= skipped);
  if (begin === undefined) return null;
  const first = received.find(({ atMs }) => atMs >= begin.atMs + sendingMs / 10);
  const last = received.findLast(({ atMs }) => atMs <= begin.atMs + sendingMs);
  if (first === undefined || last === undefined || last.atMs <= first.atMs) return null;
  return ((last.bytes - first.bytes) * 8 * 1000) / (last.atMs - first.atMs);
}

/**
 * @param varianceFactor how much wider the packets' dependence makes the interval's variance; 1 for independent ones
 */
export function lossOf(sent: number, arrived: number, varianceFactor = 1): LossMeasurement {
  const lost = Math.max(0, sent - arrived);
  const ratio = sent === 0 ? 0 : lost / sent;
  return { sent, lost, ratio, interval: wilsonInterval(lost / varianceFactor, sent / varianceFactor) };
}

/** The same from the packets that arrived, with the runs of lost ones. A duplicate arrived once. */
export function lossOfTrain(
  sent: number,
  arrivals: readonly Arrival[],
  varianceFactor: number,
): LossMeasurement {
  const numbers = new Set(arrivals.map(({ number }) => number));
  let bursts = 0;
  for (let number = 0; number < sent; number++) {
    if (!numbers.has(number) && (number === 0 || numbers.has(number - 1))) bursts++;
  }
  return { ...lossOf(sent, numbers.size, varianceFactor), bursts };
}

/**
 * Packets that one sent later overtook: RFC 4737, section 3.3.
 * @param families by which the packets went in turn: each has a socket of its own at the receiver, and which of
 *   them is read first says nothing about the path
 */
export function reorderOf(arrivals: readonly Arrival[], families: number): ReorderMeasurement {
  const highest = new Map<number, number>();
  let late = 0;
  for (const { number } of arrivals) {
    const family = number % families;
    if (number < (highest.get(family) ?? -1)) late++;
    else highest.set(family, number);
  }
  const arrived = arrivals.length;
  return {
    arrived,
    late,
    ratio: arrived === 0 ? 0 : late / arrived,
    interval: wilsonInterval(late, arrived),
  };
}

/** Median, or null of nothing. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}
