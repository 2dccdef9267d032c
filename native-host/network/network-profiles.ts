import type { BurstLoss, Shape } from '../../shared/record/path.ts';
import { meanLossRatio } from './burst-loss.ts';

export interface NetworkProfile {
  name: string;
  /** For a person, one line: what it stands for, and where its figures come from. */
  about: string;
  shape: Shape;
}

const kbit = 1000;
const mbit = 1000 * kbit;

function profile(
  name: string,
  about: string,
  shape: Pick<Shape, 'rttMs' | 'downBitsPerSecond' | 'upBitsPerSecond'> & Partial<Shape>,
): NetworkProfile {
  return { name, about, shape: { lossDownRatio: 0, lossUpRatio: 0, queuePackets: 256, ...shape } };
}

/** One packet in fifty: (1/147) / (1/147 + 1/3) = 0.02. */
const burstsOfThree: BurstLoss = {
  toBadRatio: 1 / 147,
  toGoodRatio: 1 / 3,
  lossInBadRatio: 1,
  lossInGoodRatio: 0,
};

/**
 * Networks by name. Their figures are conventions, so that two people who say "dsl" mean the same; what an access
 * line of that kind really does differs from house to house.
 */
export const networkProfiles: readonly NetworkProfile[] = [
  profile('3g', 'third-generation mobile, as in the SPDY and HTTP/2 studies', {
    ...{ rttMs: 150, downBitsPerSecond: 2 * mbit, upBitsPerSecond: mbit },
  }),
  profile('4g', 'fourth-generation mobile, as WebPageTest defines it', {
    ...{ rttMs: 170, downBitsPerSecond: 9 * mbit, upBitsPerSecond: 9 * mbit },
  }),
  profile('dsl', 'slow telephone line, as WebPageTest defines it', {
    ...{ rttMs: 50, downBitsPerSecond: 1500 * kbit, upBitsPerSecond: 384 * kbit },
  }),
  profile('cable-10-1', 'television cable, 10 Mbit/s down and 1 up', {
    ...{ rttMs: 28, downBitsPerSecond: 10 * mbit, upBitsPerSecond: mbit },
  }),
  profile('cable-20-2', 'television cable, 20 Mbit/s down and 2 up', {
    ...{ rttMs: 28, downBitsPerSecond: 20 * mbit, upBitsPerSecond: 2 * mbit },
  }),
  profile('satellite', 'geostationary satellite: 36,000 km up and down, twice', {
    ...{ rttMs: 600, downBitsPerSecond: 10 * mbit, upBitsPerSecond: 2 * mbit },
  }),
  profile(
    'wifi-lossy',
    'crowded wireless network, our own convention: one packet in fifty lost, three in a row on average',
    {
      ...{ rttMs: 20, jitterMs: 5, downBitsPerSecond: 20 * mbit, upBitsPerSecond: 20 * mbit },
      ...{ lossDownRatio: meanLossRatio(burstsOfThree), lossUpRatio: meanLossRatio(burstsOfThree) },
      ...{ burstLossDown: burstsOfThree, burstLossUp: burstsOfThree },
    },
  ),
];
