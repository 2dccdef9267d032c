/**
 * P(|T| <= t) for Student's t with a whole number of degrees of freedom, 1 or more; t >= 0.
 * Closed form: Abramowitz and Stegun 26.7.3 and 26.7.4.
 */
export function studentTCentralProbability(t: number, degreesOfFreedom: number): number {
  const angle = Math.atan(t / Math.sqrt(degreesOfFreedom));
  const cosine = Math.cos(angle);
  const odd = degreesOfFreedom % 2 === 1;
  let term = odd ? cosine : 1;
  let sum = 0;
  for (let power = odd ? 1 : 0; power <= degreesOfFreedom - 2; power += 2) {
    sum += term;
    term *= (cosine * cosine * (power + 1)) / (power + 2);
  }
  return odd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
}

/** The t >= 0 with P(|T| <= t) = probability (0 to below 1), by bisection: to 1e-12 of itself. */
export function studentTCentralQuantile(probability: number, degreesOfFreedom: number): number {
  let low = 0;
  let high = 1;
  while (studentTCentralProbability(high, degreesOfFreedom) < probability) high *= 2;
  while (high - low > 1e-13 * high) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (studentTCentralProbability(middle, degreesOfFreedom) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
