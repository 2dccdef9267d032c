import { incompleteGamma } from './gamma.ts';

/** P(Z <= z) for the standard normal, to 1e-13 of itself in both tails. */
export function normalCdf(z: number): number {
  const { lower, upper } = incompleteGamma(0.5, (z * z) / 2);
  return z < 0 ? upper / 2 : (1 + lower) / 2;
}

/**
 * The z with {@link normalCdf}(z) = probability, to 1e-12; -Infinity at 0 and Infinity at 1.
 * Starts from the approximation of Abramowitz and Stegun 26.2.23 (4.5e-4) and sharpens it by Halley's method,
 * whose error falls with its cube: three steps are one more than needed.
 */
export function normalQuantile(probability: number): number {
  if (probability <= 0) return -Infinity;
  if (probability >= 1) return Infinity;
  const tail = Math.min(probability, 1 - probability);
  let z = approximateLowerQuantile(tail);
  for (let step = 0; step < 3; step++) {
    const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
    const newton = (normalCdf(z) - tail) / density;
    z -= newton / (1 + (z * newton) / 2);
  }
  return probability < 0.5 ? z : -z;
}

function approximateLowerQuantile(tail: number): number {
  const t = Math.sqrt(-2 * Math.log(tail));
  const numerator = 2.515517 + t * (0.802853 + t * 0.010328);
  const denominator = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  return numerator / denominator - t;
}
