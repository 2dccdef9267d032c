/** Chance of so many hits or fewer in so many independent trials, each a hit with chance `ratio`, 0..1: 0..1. */
export function chanceOfAtMost(hits: number, trials: number, ratio: number): number {
  if (hits < 0) return 0;
  if (hits >= trials || ratio === 0) return 1;
  if (ratio === 1) return 0;
  // As logarithms, since the first terms of a large sum are too small for a double.
  let log = trials * Math.log1p(-ratio);
  let sum = Math.exp(log);
  for (let each = 0; each < hits; each++) {
    log += Math.log(((trials - each) / (each + 1)) * (ratio / (1 - ratio)));
    sum += Math.exp(log);
  }
  return Math.min(1, sum);
}
