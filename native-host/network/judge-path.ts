import type {
  PathMeasurement,
  QueueMeasurement,
  ReorderMeasurement,
  Shape,
} from '../../shared/record/path.ts';
import { jitterToleranceMs, medianToleranceMs } from './jitter.ts';
import type { Direction } from './shape-commands.ts';
import type { Transport } from './probe-plan.ts';

/** METHOD "Shaping": how far a measured path may lie from the one asked for. */
const rttToleranceMs = 1;
const rttToleranceRatio = 0.02;
const rateToleranceRatio = 0.03;

/**
 * What lies outside METHOD's limits, one sentence each with both numbers; empty when the path is as asked.
 * What was not asked for, or could not be measured, is not judged, but for a round-trip time that is missing. What is lost is
 * judged by {@link judgeLosses}.
 */
export function judgePath(asked: Shape, measured: Omit<PathMeasurement, 'deviations'>): string[] {
  const { tcp, jitterMs, rttSamples } = measured;
  return [
    ...judgeRtt(asked, measured.rttMs, rttSamples, ''),
    ...(jitterMs === undefined ? [] : judgeJitter(asked.jitterMs ?? 0, jitterMs, rttSamples)),
    ...judgeRate('udp', 'down', asked, measured.downBitsPerSecond),
    ...judgeRate('udp', 'up', asked, measured.upBitsPerSecond),
    ...judgeReorder('down', asked, measured.reorderDown ?? null),
    ...judgeReorder('up', asked, measured.reorderUp ?? null),
    ...judgeQueue(asked, measured.queue ?? null),
    ...(tcp === undefined
      ? []
      : [
          ...judgeRtt(asked, tcp.rttMs, tcp.rttSamples, ' by TCP'),
          ...judgeRate('tcp', 'down', asked, tcp.downBitsPerSecond),
          ...judgeRate('tcp', 'up', asked, tcp.upBitsPerSecond),
        ]),
  ];
}

function judgeRtt(asked: Shape, measuredMs: number | null, samples: number, by: string): string[] {
  const { rttMs, jitterMs = 0 } = asked;
  if (measuredMs === null) return [`RTT asked ${rttMs} ms, but no probe${by} came back`];
  const limit = Math.max(rttToleranceMs, rttMs * rttToleranceRatio);
  const tolerance = Number((limit + medianToleranceMs(jitterMs, samples)).toFixed(2));
  if (Math.abs(measuredMs - rttMs) <= tolerance) return [];
  return [`RTT asked ${rttMs} ms, measured${by} ${measuredMs.toFixed(2)} ms: more than ${tolerance} ms off`];
}

function judgeJitter(askedMs: number, measuredMs: number | null, samples: number): string[] {
  if (measuredMs === null) return [];
  const tolerance = jitterToleranceMs(askedMs, samples);
  if (Math.abs(measuredMs - askedMs) <= tolerance) return [];
  return [
    `Jitter asked ${askedMs} ms, measured ${measuredMs.toFixed(2)} ms: more than ${tolerance.toFixed(2)} ms off`,
  ];
}

/** Empty when a rate is as asked, or was not asked for. */
export function judgeRate(
  by: Transport,
  direction: Direction,
  asked: Shape,
  measured: number | null,
): string[] {
  const rate = direction === 'down' ? asked.downBitsPerSecond : asked.upBitsPerSecond;
  if (rate === null) return [];
  const name = `${direction === 'down' ? 'Down' : 'Up'} rate`;
  const how = by === 'tcp' ? ' by TCP' : '';
  if (measured === null) return [`${name} asked ${kbit(rate)}, but no probe${how} arrived`];
  if (Math.abs(measured - rate) <= rate * rateToleranceRatio) return [];
  return [`${name} asked ${kbit(rate)}, measured${how} ${kbit(measured)}: more than 3 % off`];
}

/** Empty when the reordering asked for lies in the measured one's interval, or none was measured. */
export function judgeReorder(
  direction: Direction,
  { reorderRatio }: Shape,
  measured: ReorderMeasurement | null,
): string[] {
  if (measured === null || reorderRatio === undefined) return [];
  const [low, high] = measured.interval;
  if (reorderRatio >= low && reorderRatio <= high) return [];
  return [
    `Reordering ${direction} asked ${percent(reorderRatio)}, measured ${percent(measured.ratio)} (${measured.late} of ${measured.arrived} late, 95 % interval ${percent(low)} to ${percent(high)})`,
  ];
}

/** How far the round-trip time with a full queue may be from what its length says. */
const queueToleranceRatio = 0.1;

function judgeQueue({ queuePackets }: Shape, measured: QueueMeasurement | null): string[] {
  if (measured === null) return [];
  const { predictedRttMs, rttMs } = measured;
  const asked = `RTT with a full queue of ${queuePackets} packets should be ${predictedRttMs.toFixed(1)} ms`;
  if (rttMs === null) return [`${asked}, but no probe came back`];
  if (Math.abs(rttMs - predictedRttMs) <= predictedRttMs * queueToleranceRatio) return [];
  return [`${asked}, measured ${rttMs.toFixed(1)} ms: more than 10 % off`];
}

function kbit(bitsPerSecond: number): string {
  return `${(bitsPerSecond / 1000).toFixed(1)} kbit/s`;
}

function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(2)} %`;
}
