import type { BurstLoss, Shape } from '../../shared/record/path.ts';
import type { Direction } from './shape-commands.ts';

/** Share of packets that are in the bad state in the long run; null where the chain never moves. */
function badShare({ toBadRatio, toGoodRatio }: BurstLoss): number | null {
  const moves = toBadRatio + toGoodRatio;
  return moves === 0 ? null : toBadRatio / moves;
}

/**
 * Mean loss of the Gilbert-Elliott model in the long run, 0..1. A chain that never moves stays in the good state.
 * Source: G. Hasslinger and O. Hohlfeld, The Gilbert-Elliott Model for Packet Loss in Real Time Services on the
 * Internet, MMB 2008, equation 2.
 */
export function meanLossRatio(model: BurstLoss): number {
  const bad = badShare(model) ?? 0;
  return bad * model.lossInBadRatio + (1 - bad) * model.lossInGoodRatio;
}

/**
 * How much wider than that of independent packets the variance of a measured loss is: 1 for independent ones. Two
 * packets j apart have covariance bad * good * (difference of the states' losses)^2 * (1 - p - r)^j; this is the
 * sum over all j, so a little too wide for few packets. 1 where nothing, or all, is lost.
 */
export function lossVarianceFactor(model: BurstLoss): number {
  const bad = badShare(model) ?? 0;
  const loss = meanLossRatio(model);
  const memory = 1 - model.toBadRatio - model.toGoodRatio;
  if (loss === 0 || loss === 1 || memory <= 0) return 1;
  const contrast = (model.lossInBadRatio - model.lossInGoodRatio) ** 2;
  return 1 + (2 * bad * (1 - bad) * contrast * memory) / (loss * (1 - loss) * (1 - memory));
}

/** The same of one direction of a path; 1 where each packet is lost or not by itself. */
export function varianceFactorOf(asked: Shape | null, direction: Direction): number {
  const model = asked?.[direction === 'down' ? 'burstLossDown' : 'burstLossUp'];
  return model === undefined ? 1 : lossVarianceFactor(model);
}

/**
 * Mean number of packets lost in a row, where the bad state loses all and the good one nothing; null otherwise,
 * since the model's runs then depend on more.
 */
export function meanBurstPackets(model: BurstLoss): number | null {
  if (model.lossInBadRatio < 1 || model.lossInGoodRatio > 0 || model.toGoodRatio === 0) return null;
  return 1 / model.toGoodRatio;
}
