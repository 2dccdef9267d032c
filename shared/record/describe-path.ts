import type { BurstLoss, LossMeasurement, Path, PathMeasurement, Shape } from './path.ts';
import { counted } from './names.ts';

const kinds: Readonly<Record<Path['kind'], string>> = {
  lab: "Towline's own servers, on a network of its own",
  rootless: 'the real servers, from a network namespace of its own (pasta)',
  root: 'the real servers, from a network namespace of its own (veth and masquerading)',
  none: "the real servers, on this machine's own network",
};

/**
 * The network path in plain sentences: between what, what it was asked to be, and what the probe found before
 * and after the trials. The path's notes are not repeated.
 */
export function describePath({ kind, asked, measuredBefore, measuredAfter }: Path): string[] {
  const sentences = [`Between the browser and ${kinds[kind]}.`];
  sentences.push(asked ? `Asked: ${describeShape(asked)}.` : 'Not shaped: as fast as it is.');
  if (measuredBefore) sentences.push(`Measured before: ${describeMeasurement(measuredBefore)}.`);
  if (measuredAfter) sentences.push(`Measured after: ${describeMeasurement(measuredAfter)}.`);
  return sentences;
}

/** "RTT 150 ms, 1 Mbit/s down and up, no loss, queue of 256 packets". */
export function describeShape(shape: Shape): string {
  const { rttMs, downBitsPerSecond, upBitsPerSecond, lossDownRatio, lossUpRatio, queuePackets } = shape;
  const { jitterMs, reorderRatio } = shape;
  return [
    `RTT ${rttMs} ms${jitterMs === undefined ? '' : ` give or take ${jitterMs} ms each way`}`,
    bothWays(describeAskedRate(downBitsPerSecond), describeAskedRate(upBitsPerSecond)),
    lossDownRatio + lossUpRatio === 0
      ? 'no loss'
      : bothWays(
          describeLoss(lossDownRatio, shape.burstLossDown),
          describeLoss(lossUpRatio, shape.burstLossUp),
        ),
    ...(reorderRatio === undefined ? [] : [`${percent(reorderRatio)} of packets overtaken`]),
    `queue of ${counted(queuePackets, 'packet')}`,
  ].join(', ');
}

function describeMeasurement(measured: PathMeasurement): string {
  const rates = [
    [measured.downBitsPerSecond, 'down'],
    [measured.upBitsPerSecond, 'up'],
  ] as const;
  const losses = [
    [measured.lossDown, 'down'],
    [measured.lossUp, 'up'],
  ] as const;
  const parts = [
    ...(measured.rttMs === null ? [] : [`RTT ${Number(measured.rttMs.toFixed(1))} ms`]),
    ...rates.flatMap(([rate, way]) => (rate === null ? [] : [`${describeRate(rate)} ${way}`])),
    ...losses.flatMap(([loss, way]) => (loss === null ? [] : [`${describeLossMeasurement(loss)} ${way}`])),
    ...measured.deviations.map((deviation) => `not as asked: ${deviation}`),
  ];
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

function describeAskedRate(bitsPerSecond: number | null): string {
  return bitsPerSecond === null ? 'any rate' : describeRate(bitsPerSecond);
}

/** "64 kbit/s", "1 Mbit/s", "0.996 Mbit/s": three digits, decimal units. */
export function describeRate(bitsPerSecond: number): string {
  const inMegabits = bitsPerSecond >= 500_000;
  const value = bitsPerSecond / (inMegabits ? 1e6 : 1e3);
  return `${Number(value.toPrecision(3))} ${inMegabits ? 'Mbit/s' : 'kbit/s'}`;
}

function describeLoss(ratio: number, bursts: BurstLoss | undefined): string {
  if (ratio === 0) return 'no loss';
  return `${percent(ratio)} loss${bursts === undefined ? '' : ' in bursts'}`;
}

function describeLossMeasurement({ sent, lost, ratio, interval: [low, high] }: LossMeasurement): string {
  return lost === 0
    ? `no loss in ${sent} packets`
    : `${percent(ratio)} loss (${percent(low)} to ${percent(high)})`;
}

function percent(ratio: number): string {
  return `${Number((ratio * 100).toPrecision(2))} %`;
}

function bothWays(down: string, up: string): string {
  return down === up ? `${down} each way` : `${down} down, ${up} up`;
}
