import { incompleteGamma } from './gamma.ts';

/** P(X <= x) for chi-square with the given degrees of freedom (1 or more). */
export function chiSquareCdf(x: number, degreesOfFreedom: number): number {
  return x <= 0 ? 0 : incompleteGamma(degreesOfFreedom / 2, x / 2).lower;
}

/** P(X > x): the p-value of a chi-square statistic, exact to its last digits however small. */
export function chiSquareSurvival(x: number, degreesOfFreedom: number): number {
  return x <= 0 ? 1 : incompleteGamma(degreesOfFreedom / 2, x / 2).upper;
}
