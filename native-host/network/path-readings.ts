import type {
  LossMeasurement,
  PathMeasurement,
  ReorderMeasurement,
  Shape,
} from '../../shared/record/path.ts';
import { jitterOf } from './jitter.ts';
import { median } from './judge-arrivals.ts';
import { standing } from './judge-loss.ts';
import type { Transport } from './probe-plan.ts';
import type { Direction } from './shape-commands.ts';

export type Rates = Record<Direction, number | null>;

export interface LossReading {
  loss: LossMeasurement;
  /** Null where none was asked for, and where packets were too far apart for a late one to be overtaken. */
  reorder: ReorderMeasurement | null;
}

export type Losses = Record<Direction, LossReading>;
/** What trains of each transport, sent at the same time, lost; absent of those that were not sent. */
export type LossTaking = Partial<Record<Transport, Losses>>;

/** What was read of a path so far. */
export interface Readings {
  /** Times of those that were answered, ms; null before they were sent. */
  roundTrips: Record<Transport, readonly number[]> | null;
  rates: Partial<Record<Transport, Rates>>;
  /** None yet, one, or two where the first was in doubt. */
  lossTakings: readonly LossTaking[];
}

type Found = Omit<PathMeasurement, 'families' | 'probeBytes' | 'durationMs' | 'deviations'>;

/** Readings as the record has them. What was not read is null, or absent where the record leaves it out. */
export function measurementOf(asked: Shape | null, { roundTrips, rates, lossTakings }: Readings): Found {
  const losses = standing(asked, lossTakings);
  const by = (transport: Transport) => {
    const rttsMs = roundTrips?.[transport] ?? [];
    return {
      rttMs: median(rttsMs),
      rttSamples: rttsMs.length,
      downBitsPerSecond: rates[transport]?.down ?? null,
      upBitsPerSecond: rates[transport]?.up ?? null,
      lossDown: losses[transport]?.down.loss ?? null,
      lossUp: losses[transport]?.up.loss ?? null,
    };
  };
  return {
    ...by('udp'),
    tcp: by('tcp'),
    ...(asked?.jitterMs !== undefined && { jitterMs: jitterOf(asked, roundTrips?.udp ?? []) }),
    ...(asked?.reorderRatio !== undefined && {
      reorderDown: losses.udp?.down.reorder ?? null,
      reorderUp: losses.udp?.up.reorder ?? null,
    }),
  };
}

const names = { udp: 'UDP', tcp: 'TCP' } as const;

/**
 * What has not been read, in words: "the rate by TCP"; empty when everything has.
 * @param wanted transports of each kind of reading
 */
export function missingReadings(
  { roundTrips, rates, lossTakings: [losses = {}] }: Readings,
  wanted: { rates: readonly Transport[]; losses: readonly Transport[] },
): string[] {
  return [
    ...(roundTrips === null ? ['the round-trip time'] : []),
    ...wanted.rates.filter((by) => rates[by] === undefined).map((by) => `the rate by ${names[by]}`),
    ...wanted.losses.filter((by) => losses[by] === undefined).map((by) => `the loss by ${names[by]}`),
  ];
}
