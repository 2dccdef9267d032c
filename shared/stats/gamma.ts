/** Coefficients of Lanczos (1964) for g = 7 as computed by Godfrey (2001): 15 significant digits. */
const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** Natural logarithm of the gamma function for x >= 0.5. */
export function logGamma(x: number): number {
  const series = lanczos.reduce((sum, coefficient, index) =>
    index === 0 ? coefficient : sum + coefficient / (x - 1 + index),
  );
  const base = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(base) - base + Math.log(series);
}

/** Regularised lower (P) and upper (Q) incomplete gamma functions; both, since one of them may be tiny. */
export interface IncompleteGamma {
  lower: number;
  upper: number;
}

/**
 * P(a, x) and Q(a, x) for a >= 0.5, x >= 0, each to about 1e-14 of itself: the power series below a + 1, the
 * continued fraction (by Lentz) above (Abramowitz and Stegun 6.5.29 and 6.5.31).
 */
export function incompleteGamma(a: number, x: number): IncompleteGamma {
  if (x === 0) return { lower: 0, upper: 1 };
  if (x === Infinity) return { lower: 1, upper: 0 };
  const scale = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    const lower = scale * powerSeries(a, x);
    return { lower, upper: 1 - lower };
  }
  const upper = scale * continuedFraction(a, x);
  return { lower: 1 - upper, upper };
}

const epsilon = 1e-17;

function powerSeries(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let n = a + 1; term > sum * epsilon; n++) {
    term *= x / n;
    sum += term;
  }
  return sum;
}

function continuedFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = Infinity;
  let d = 1 / b;
  let value = d;
  for (let i = 1; i < 1000; i++) {
    const numerator = -i * (i - a);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    const factor = c * d;
    value *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  return value;
}
