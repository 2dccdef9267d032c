import type { LossMeasurement, PathMeasurement, Shape } from '../../shared/record/path.ts';

/** METHOD "Shaping": how far a measured path may lie from the one asked for. */
const rttToleranceMs = 1;
const rttToleranceRatio = 0.02;
const rateToleranceRatio = 0.03;

/**
 * What lies outside METHOD's limits, one sentence each with both numbers; empty when the path is as asked.
 * What was not asked for, or could not be measured, is not judged, but for a round-trip time that is missing.
 */
export function judgePath(asked: Shape, measured: Omit<PathMeasurement, 'deviations'>): string[] {
  return [
    ...judgeRtt(asked.rttMs, measured.rttMs),
    ...judgeRate('Down', asked.downBitsPerSecond, measured.downBitsPerSecond),
    ...judgeRate('Up', asked.upBitsPerSecond, measured.upBitsPerSecond),
    ...judgeLoss('down', asked.lossDownRatio, measured.lossDown),
    ...judgeLoss('up', asked.lossUpRatio, measured.lossUp),
  ];
}

function judgeRtt(askedMs: number, measuredMs: number | null): string[] {
  if (measuredMs === null) return [`RTT asked ${askedMs} ms, but no probe came back`];
  const tolerance = Math.max(rttToleranceMs, askedMs * rttToleranceRatio);
  if (Math.abs(measuredMs - askedMs) <= tolerance) return [];
  return [`RTT asked ${askedMs} ms, measured ${measuredMs.toFixed(2)} ms: more than ${tolerance} ms off`];
}

/** Whether a rate that was asked for is the one that was measured. */
export function rateIsAsAsked(asked: number, measured: number): boolean {
  return Math.abs(measured - asked) <= asked * rateToleranceRatio;
}

function judgeRate(direction: 'Down' | 'Up', asked: number | null, measured: number | null): string[] {
  if (asked === null) return [];
  if (measured === null) return [`${direction} rate asked ${kbit(asked)}, but no probe arrived`];
  if (rateIsAsAsked(asked, measured)) return [];
  return [`${direction} rate asked ${kbit(asked)}, measured ${kbit(measured)}: more than 3 % off`];
}

/** Whether a loss that was asked for can be the one that was measured. */
export function lossIsAsAsked(asked: number, { interval: [low, high] }: LossMeasurement): boolean {
  return asked >= low && asked <= high;
}

function judgeLoss(direction: 'down' | 'up', asked: number, measured: LossMeasurement | null): string[] {
  if (measured === null || lossIsAsAsked(asked, measured)) return [];
  const [low, high] = measured.interval;
  const counts = `${measured.lost} of ${measured.sent} lost`;
  return [
    `Loss ${direction} asked ${percent(asked)}, measured ${percent(measured.ratio)} (${counts}, 95 % interval ${percent(low)} to ${percent(high)})`,
  ];
}

function kbit(bitsPerSecond: number): string {
  return `${(bitsPerSecond / 1000).toFixed(1)} kbit/s`;
}

function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(2)} %`;
}
