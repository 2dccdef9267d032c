/** Two-sided 95 % quantile of the standard normal distribution. */
const z = 1.959963984540054;

/**
 * Wilson's score interval for a share, 95 %, within 0..1. For no trials at all it is the whole range.
 * Source: E. B. Wilson, Journal of the American Statistical Association 22 (1927), 209-212.
 */
export function wilsonInterval(hits: number, trials: number): [low: number, high: number] {
  if (trials === 0) return [0, 1];
  const share = hits / trials;
  const spread = z * Math.sqrt((share * (1 - share)) / trials + (z * z) / (4 * trials * trials));
  const centre = share + (z * z) / (2 * trials);
  const scale = 1 + (z * z) / trials;
  // At the ends the exact values are 0 and 1, which rounding would miss.
  return [
    hits === 0 ? 0 : Math.max(0, (centre - spread) / scale),
    hits === trials ? 1 : Math.min(1, (centre + spread) / scale),
  ];
}
