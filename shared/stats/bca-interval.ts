import { normalCdf, normalQuantile } from './normal-distribution.ts';
import { quantileOfSorted } from './quantile.ts';

/** What an interval is made of, all in the same unit. */
export interface BootstrapDistribution {
  estimate: number;
  /** The estimate from each resample. */
  replicates: Float64Array;
  /** The estimate with each block left out in turn. */
  jackknife: Float64Array;
}

/**
 * Bias-corrected and accelerated bootstrap interval (Efron 1987; Efron and Tibshirani 1993, 14.3): replicates
 * equal to the estimate count half below it, which matters for medians of few values.
 *
 * @param tail probability left out at each end, before the correction: 0.025 for 95 %
 */
export function bcaInterval(
  { estimate, replicates, jackknife }: BootstrapDistribution,
  tail: number,
): [number, number] {
  const sorted = replicates.slice().sort();
  const bias = normalQuantile(shareBelow(sorted, estimate));
  const acceleration = accelerationOf(jackknife);
  const end = (probability: number): number => {
    const z = bias + normalQuantile(probability);
    const corrected = normalCdf(bias + z / (1 - acceleration * z));
    return quantileOfSorted(sorted, corrected) ?? estimate;
  };
  return [end(tail), end(1 - tail)];
}

/** Kept off 0 and 1, where the correction would be infinite, by what one replicate could tell. */
function shareBelow(sorted: Float64Array, estimate: number): number {
  let below = 0;
  let equal = 0;
  for (const value of sorted) {
    if (value < estimate) below++;
    else if (value === estimate) equal++;
  }
  const half = 0.5 / sorted.length;
  return Math.min(1 - half, Math.max(half, (below + equal / 2) / sorted.length));
}

function accelerationOf(jackknife: Float64Array): number {
  const mean = jackknife.reduce((sum, value) => sum + value, 0) / jackknife.length;
  let squares = 0;
  let cubes = 0;
  for (const value of jackknife) {
    squares += (mean - value) ** 2;
    cubes += (mean - value) ** 3;
  }
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
}
