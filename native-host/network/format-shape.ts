import type { Shape } from '../../shared/record/path.ts';

/** A network for a person: `RTT 150 ms, 2 Mbit/s down, 1 Mbit/s up, no loss, queue of 256 packets`. */
export function formatShape(shape: Shape): string {
  const { rttMs, downBitsPerSecond, upBitsPerSecond, queuePackets } = shape;
  const limited = downBitsPerSecond !== null || upBitsPerSecond !== null;
  return [
    `RTT ${rttMs} ms`,
    `${formatRate(downBitsPerSecond)} down`,
    `${formatRate(upBitsPerSecond)} up`,
    formatLoss(shape),
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

function formatLoss({ lossDownRatio, lossUpRatio }: Shape): string {
  if (lossDownRatio === 0 && lossUpRatio === 0) return 'no loss';
  if (lossDownRatio === lossUpRatio) return `${rounded(lossDownRatio * 100)} % loss`;
  return `${rounded(lossDownRatio * 100)} % loss down, ${rounded(lossUpRatio * 100)} % up`;
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
