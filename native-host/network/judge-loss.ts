import type { LossMeasurement, Shape } from '../../shared/record/path.ts';
import { chanceOfAtMost } from './binomial-chance.ts';
import { meanBurstPackets, varianceFactorOf } from './burst-loss.ts';
import { lossOf } from './judge-arrivals.ts';
import { judgeReorder } from './judge-path.ts';
import type { Losses, LossTaking } from './path-readings.ts';
import { directions, transports } from './probe-schedule.ts';
import type { Direction } from './shape-commands.ts';

/**
 * What a taking says of one direction: by each transport, and by the packets of both together, which are one sample, since they
 * meet the same, and find a wrong loss where half of them would not.
 */
const samples = ['udp', 'tcp', 'together'] as const;
export type LossSample = (typeof samples)[number];

const named = { udp: '', tcp: ' by TCP', together: ' by UDP and TCP together' } as const;

/** Where the loss asked for lies: below a measured one's 95 % interval, in it, or above it. */
export type Side = 'below' | 'within' | 'above';

/** Of a sample; `within` where it was not taken. */
export function sideOf(asked: Shape, direction: Direction, sample: LossSample, taking: LossTaking): Side {
  const measured = measuredBy(asked, direction, sample, taking);
  return measured === null ? 'within' : sideOfInterval(askedRatio(asked, direction), measured.interval);
}

/** Whether a taking leaves anything in doubt, so that another is worth its time. */
export function isDoubtful(asked: Shape, taking: LossTaking): boolean {
  return directions.some(
    (direction) =>
      samples.some((sample) => sideOf(asked, direction, sample, taking) !== 'within') ||
      transports.some((by) => isOff(asked, direction, by, taking)),
  );
}

/**
 * Each reading as it was first, or as it was the second time where the first one was off. Where one time too many were lost and the
 * other time too few, both together: neither says more than the other. No more than two takings are heeded.
 * @returns empty without a taking
 */
export function standing(asked: Shape | null, [first, second]: readonly LossTaking[]): LossTaking {
  if (first === undefined || second === undefined || asked === null) return first ?? {};
  const stands = transports.flatMap((by): (readonly [string, Losses])[] => {
    const [one, other] = [first[by], second[by]];
    if (one === undefined || other === undefined) return one === undefined ? [] : [[by, one]];
    const of = (direction: Direction) => {
      if (!isOff(asked, direction, by, first)) return one[direction];
      const sides = [first, second].map((taking) => sideOf(asked, direction, by, taking));
      const contradict = sides.includes('below') && sides.includes('above');
      const { loss, reorder } = other[direction];
      return contradict
        ? { loss: sum(asked, direction, one[direction].loss, loss), reorder }
        : other[direction];
    };
    return [[by, { down: of('down'), up: of('up') }]];
  });
  return Object.fromEntries(stands);
}

function isOff(asked: Shape, direction: Direction, by: 'udp' | 'tcp', taking: LossTaking): boolean {
  const reading = taking[by]?.[direction];
  if (reading === undefined) return false;
  return (
    sideOf(asked, direction, by, taking) !== 'within' ||
    judgeBursts(direction, asked, reading.loss).length > 0 ||
    judgeReorder(direction, asked, reading.reorder).length > 0
  );
}

/** What two takings of a right loss both exclude on one given side is as rare as this. */
const rareAsTwo = 0.025 ** 2;

/**
 * One sentence with both numbers for every loss that is refused; empty when none is.
 *
 * A 95 % interval misses a right loss one time in twenty, and there are six of them: by that alone, a right path
 * would be refused in one measurement of five. So a loss that lies outside is measured again, and refused where the same sample
 * excludes it both times, on the same side. Where there was no time for that, it has to be as rare by itself: so many lost, or so
 * few, less than once in 1600 on a path that is right. Where none was asked for, a single one is.
 *
 * How often a right path is refused nonetheless, and a wrong one is, is in docs/networks.md, from the exact
 * probabilities in judge-loss.test.ts.
 * @param takings one, or two that are independent
 */
export function judgeLosses(asked: Shape, takings: readonly LossTaking[]): string[] {
  const [first, second] = takings;
  if (first === undefined) return [];
  return directions.flatMap((direction) => [
    ...samples.flatMap((sample) => {
      const side = sideOf(asked, direction, sample, first);
      if (side === 'within') return [];
      const taken = takings
        .map((taking) => measuredBy(asked, direction, sample, taking))
        .filter((measured) => measured !== null);
      const refused =
        second === undefined
          ? taken.some((measured) => isRare(asked, direction, measured, side))
          : sideOf(asked, direction, sample, second) === side;
      return refused ? [sentence(asked, direction, sample, taken)] : [];
    }),
    ...transports.flatMap((by) => {
      const measured = standing(asked, takings)[by]?.[direction].loss;
      return measured === undefined ? [] : judgeBursts(direction, asked, measured);
    }),
  ]);
}

/** Whether a path that is right has so many packets lost, or so few, as rarely as it has two takings that say so. */
function isRare(asked: Shape, direction: Direction, { lost, sent }: LossMeasurement, side: Side): boolean {
  // As many independent packets as say the same.
  const factor = varianceFactorOf(asked, direction);
  const [hits, trials] = [Math.round(lost / factor), Math.round(sent / factor)];
  const ratio = askedRatio(asked, direction);
  const chance =
    side === 'above' ? chanceOfAtMost(hits, trials, ratio) : 1 - chanceOfAtMost(hits - 1, trials, ratio);
  return chance < rareAsTwo;
}

function sideOfInterval(ratio: number, [low, high]: readonly [number, number]): Side {
  if (ratio < low) return 'below';
  return ratio > high ? 'above' : 'within';
}

function measuredBy(
  asked: Shape,
  direction: Direction,
  sample: LossSample,
  { udp, tcp }: LossTaking,
): LossMeasurement | null {
  if (sample === 'udp') return udp?.[direction].loss ?? null;
  if (sample === 'tcp') return tcp?.[direction].loss ?? null;
  if (udp === undefined || tcp === undefined) return null;
  const [one, other] = [udp[direction].loss, tcp[direction].loss];
  return sum(asked, direction, one, other);
}

/** Of two measurements as one. Runs of lost packets are known where both know them. */
function sum(
  asked: Shape,
  direction: Direction,
  one: LossMeasurement,
  other: LossMeasurement,
): LossMeasurement {
  const sent = one.sent + other.sent;
  const bursts =
    one.bursts === undefined || other.bursts === undefined ? {} : { bursts: one.bursts + other.bursts };
  return {
    ...lossOf(sent, sent - one.lost - other.lost, varianceFactorOf(asked, direction)),
    ...bursts,
  };
}

function askedRatio(asked: Shape, direction: Direction): number {
  return direction === 'down' ? asked.lossDownRatio : asked.lossUpRatio;
}

function sentence(
  asked: Shape,
  direction: Direction,
  sample: LossSample,
  taken: readonly LossMeasurement[],
): string {
  const found = taken.map(({ ratio, lost, sent, interval: [low, high] }) => {
    return `${percent(ratio)} (${lost} of ${sent} lost, 95 % interval ${percent(low)} to ${percent(high)})`;
  });
  return `Loss ${direction} asked ${percent(askedRatio(asked, direction))}, measured${named[sample]} ${found.join(', then ')}`;
}

/** 99 % of a normal distribution lie within so many standard deviations. */
const mostBursts = 2.58;
/** Fewer say nothing about a mean. */
const fewestBursts = 10;

function judgeBursts(direction: Direction, asked: Shape, { lost, bursts }: LossMeasurement): string[] {
  const model = direction === 'down' ? asked.burstLossDown : asked.burstLossUp;
  const expected = model === undefined ? null : meanBurstPackets(model);
  if (expected === null || bursts === undefined || bursts < fewestBursts) return [];
  const mean = lost / bursts;
  // Geometric lengths with this mean have a variance of mean * (mean - 1).
  const tolerance = mostBursts * Math.sqrt((expected * (expected - 1)) / bursts);
  if (Math.abs(mean - expected) <= tolerance) return [];
  return [
    `Bursts of loss ${direction} asked ${expected.toFixed(2)} packets long, measured ${mean.toFixed(2)} (${bursts} bursts): more than ${tolerance.toFixed(2)} off`,
  ];
}

function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(2)} %`;
}
