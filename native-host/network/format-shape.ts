import type { Shape } from '../../shared/record/path.ts';

/** A network for a person: `RTT 150 ms, 2 Mbit/s down, 1 Mbit/s up, no loss, queue of 256 packets`. */
export function formatShape(shape: Shape): string {
  const { rttMs, downBitsPerSecond, upBitsPerSecond, queuePackets } = shape;
  const limited = downBitsPerSecond !== null || upBitsPerSecond !== null;
  return [
    `RTT ${rttMs} ms${shape.jitterMs === undefined ? '' : ` (each way ±${shape.jitterMs} ms)`}`,
    `${formatRate(downBitsPerSecond)} down`,
    `${formatRate(upBitsPerSecond)} up`,
    formatLoss(shape),
    ...(shape.reorderRatio === undefined
      ? []
      : [`${rounded(shape.reorderRatio * 100)} % late by ${shape.reorderDelayMs ?? 0} ms`]),
    ...(limited ? [`queue of ${queuePackets} packets`] : []),
  ].join(', ');
}

/** A rate for a person; `unlimited` for null. */
export function formatRate(bitsPerSecond: number | null): string {
  if (bitsPerSecond === null) return 'unlimited';
  for (const [unit, factor] of [
    ['Gbit/s', 1e9],
    ['Mbit/s', 1e6],
  ] as const) {
    if (bitsPerSecond >= factor) return `${rounded(bitsPerSecond / factor)} ${unit}`;
  }
  return `${rounded(bitsPerSecond / 1e3)} kbit/s`;
}

function formatLoss({ lossDownRatio, lossUpRatio, burstLossDown, burstLossUp }: Shape): string {
  if (lossDownRatio === 0 && lossUpRatio === 0) return 'no loss';
  const down = `${rounded(lossDownRatio * 100)} %`;
  const up = `${rounded(lossUpRatio * 100)} %`;
  const bursts = burstLossDown !== undefined || burstLossUp !== undefined ? ', in bursts' : '';
  return down === up ? `${down} loss${bursts}` : `${down} loss down, ${up} up${bursts}`;
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
